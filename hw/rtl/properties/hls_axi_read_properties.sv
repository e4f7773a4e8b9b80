// SPDX-License-Identifier: Apache-2.0
//
// Rules of hls_axi_read. Its own: a request that memory sees stays until it is accepted, is within
// 4 KiB and has at most 16 beats, and no more than BURSTS bursts are in flight. The rules of its
// surroundings, assumed with ASSUMES: the process requests legal bursts and takes only beats that
// are there. Memory returns the requested beats, in order, with `rlast` at the last of each burst.
module hls_axi_read_properties #(
    parameter BURSTS  = 8,
    parameter ASSUMES = 0,
    parameter BEATS = BURSTS * 16,
    parameter CREDIT_BITS = $clog2(BEATS + 1),
    parameter COUNT_BITS = $clog2(BURSTS + 1)
) (
    input wire                   clk,
    input wire                   rst,
    input wire [           47:0] request_data,
    input wire                   request_full,
    input wire                   request_push,
    input wire                   beat_empty,
    input wire                   beat_pop,
    input wire                   beats_full,
    input wire                   arvalid,
    input wire                   arready,
    input wire [           31:0] araddr,
    input wire [            7:0] arlen,
    input wire                   rvalid,
    input wire                   rready,
    input wire                   rlast,
    input wire                   request_empty,
    input wire [           47:0] request,
    input wire [CREDIT_BITS-1:0] credits,
    input wire [ COUNT_BITS-1:0] bursts
);
  wire live;
  hls_reset_seen reset (
      .clk (clk),
      .rst (rst),
      .seen(live)
  );
  wire issue = arvalid & arready;
  wire accept = rvalid & rready;

  // Beats that memory owes to each burst in flight, the oldest at 0, and to all.
  reg [5*BURSTS-1:0] owed;
  reg [CREDIT_BITS-1:0] owed_beats;
  wire [4:0] oldest = owed[4:0];
  wire ends = accept & (oldest == 5'd1);
  wire [5*BURSTS-1:0] after_beat = ends ? owed >> 5 : owed - {{(5 * BURSTS - 1) {1'b0}}, accept};
  wire [COUNT_BITS-1:0] place = bursts - COUNT_BITS'(ends);
  wire [5*BURSTS-1:0] length = (5 * BURSTS)'(arlen[4:0]) + 1'b1;
  wire [5*BURSTS-1:0] after_issue = issue ? after_beat | (length << (5 * 32'(place))) : after_beat;

  reg waited = 1'b0;
  reg [39:0] waiting;
  wire push_is_legal = request_data[47:32] != 16'd0 & request_data[47:32] <= 16'd16 &
      {1'b0, request_data[11:0]} + {request_data[41:32], 3'b0} <= 13'd4096;
  wire is_legal = arlen < 8'd16 & {1'b0, araddr[11:0]} + {2'b0, arlen, 3'b0} + 13'd8 <= 13'd4096;
  wire producer = ~(request_push & (request_full | ~push_is_legal));
  wire consumer = ~(beat_pop & beat_empty);
  wire memory = ~rvalid | (oldest != 5'd0 & owed_beats != '0 & rlast == (oldest == 5'd1));

  always @(posedge clk) begin
    owed <= rst ? '0 : after_issue;
    owed_beats <= rst ? '0 : owed_beats + (issue ? CREDIT_BITS'(arlen) + 1'b1 : '0) -
        CREDIT_BITS'(accept);
    waited <= live & ~rst & arvalid & ~arready;
    waiting <= {araddr, arlen};
    if (live & ~rst) begin
      if (ASSUMES) begin
        assume (producer);
        assume (consumer);
        assume (memory);
      end else begin
        assert (producer);
        assert (consumer);
        assert (memory);
      end
      if (waited) assert (arvalid & {araddr, arlen} == waiting);
`ifdef LEMMAS
      // The proof of hls_fifo: what leaves it has been pushed.
      if (~request_empty) assume (is_legal & request[47:32] == 16'(arlen) + 16'd1);
`else
      if (arvalid) assert (is_legal);
`endif
      assert (32'(bursts) <= BURSTS);
      assert (~(issue & 32'(bursts) == BURSTS));
      assert (32'(credits) <= BEATS);
      assert (rready);
      assert (~(accept & beats_full));
    end
  end
endmodule
bind hls_axi_read hls_axi_read_properties #(
    .BURSTS(BURSTS)
) properties (
    .*
);
