// SPDX-License-Identifier: Apache-2.0
//
// Rules of hls_axi_write. Its own: an address or a beat that memory sees stays until it is
// accepted. A burst is within 4 KiB and has at most 16 beats. Beats follow their address, as many
// as it says, with `wlast` at the last. No more than BURSTS bursts wait for a response; `idle` only
// if every burst has its response. The rules of its surroundings, assumed with ASSUMES: the process
// requests legal bursts and respects both `full`; memory responds once to each burst, after its
// last beat.
module hls_axi_write_properties #(
    parameter BURSTS  = 8,
    parameter ASSUMES = 0,
    parameter COUNT_BITS = $clog2(BURSTS + 5)
) (
    input wire                  clk,
    input wire                  rst,
    input wire [          47:0] request_data,
    input wire                  request_full,
    input wire                  request_push,
    input wire                  beat_full,
    input wire                  beat_push,
    input wire                  idle,
    input wire                  awvalid,
    input wire                  awready,
    input wire [          31:0] awaddr,
    input wire [           7:0] awlen,
    input wire                  wvalid,
    input wire                  wready,
    input wire [          63:0] wdata,
    input wire                  wlast,
    input wire                  bvalid,
    input wire                  bready,
    input wire                  request_empty,
    input wire [          47:0] request,
    input wire                  length_empty,
    input wire [           7:0] length,
    input wire [           7:0] beat,
    input wire [COUNT_BITS-1:0] in_flight,
    input wire [COUNT_BITS-1:0] unanswered
);
  wire live;
  hls_reset_seen reset (
      .clk (clk),
      .rst (rst),
      .seen(live)
  );
  wire issue = awvalid & awready;
  wire sent = wvalid & wready;
  wire answered = bvalid & bready;

  // Beats that each burst without all of its data still needs, the oldest at 0; bursts that have
  // all of their data and no response.
  reg [5*BURSTS-1:0] needed;
  reg [COUNT_BITS-1:0] unsent, complete;
  wire [4:0] oldest = needed[4:0];
  wire ends = sent & (oldest == 5'd1);
  wire [5*BURSTS-1:0] after_beat =
      ends ? needed >> 5 : needed - {{(5 * BURSTS - 1) {1'b0}}, sent};
  wire [COUNT_BITS-1:0] place = unsent - COUNT_BITS'(ends);
  wire [5*BURSTS-1:0] beats = (5 * BURSTS)'(awlen[4:0]) + 1'b1;
  wire [5*BURSTS-1:0] after_issue = issue ? after_beat | (beats << (5 * 32'(place))) : after_beat;

  reg address_waited = 1'b0, beat_waited = 1'b0;
  reg [39:0] address_waiting;
  reg [64:0] beat_waiting;
  wire push_is_legal = request_data[47:32] != 16'd0 & request_data[47:32] <= 16'd16 &
      {1'b0, request_data[11:0]} + {request_data[41:32], 3'b0} <= 13'd4096;
  wire is_legal = awlen < 8'd16 & {1'b0, awaddr[11:0]} + {2'b0, awlen, 3'b0} + 13'd8 <= 13'd4096;
  wire requests = ~(request_push & (request_full | ~push_is_legal));
  wire data = ~(beat_push & beat_full);
  wire memory = ~bvalid | complete != '0;

  always @(posedge clk) begin
    needed <= rst ? '0 : after_issue;
    unsent <= rst ? '0 : unsent + COUNT_BITS'(issue) - COUNT_BITS'(ends);
    complete <= rst ? '0 : complete + COUNT_BITS'(ends) - COUNT_BITS'(answered);
    address_waited <= live & ~rst & awvalid & ~awready;
    beat_waited <= live & ~rst & wvalid & ~wready;
    address_waiting <= {awaddr, awlen};
    beat_waiting <= {wdata, wlast};
    if (live & ~rst) begin
      if (ASSUMES) begin
        assume (requests);
        assume (data);
        assume (memory);
      end else begin
        assert (requests);
        assert (data);
        assert (memory);
      end
      if (address_waited) assert (awvalid & {awaddr, awlen} == address_waiting);
      if (beat_waited) assert (wvalid & {wdata, wlast} == beat_waiting);
`ifdef LEMMAS
      // The proof of hls_fifo: what leaves it has been pushed, in order.
      if (~request_empty) assume (is_legal & request[47:32] == 16'(awlen) + 16'd1);
      if (~length_empty) assume (16'(length) + 16'd1 == 16'(beat) + 16'(oldest));
`else
      if (awvalid) assert (is_legal);
`endif
      if (wvalid) assert (oldest != 5'd0 & wlast == (oldest == 5'd1));
      assert (32'(in_flight) <= BURSTS & 32'(in_flight) == 32'(unsent) + 32'(complete));
      assert (~(issue & 32'(in_flight) == BURSTS));
      assert (32'(unanswered) <= BURSTS + 4 & unanswered >= in_flight);
      if (idle) assert (request_empty & unsent == '0 & complete == '0);
      assert (bready);
    end
  end
endmodule
bind hls_axi_write hls_axi_write_properties #(
    .BURSTS(BURSTS)
) properties (
    .*
);
