// SPDX-License-Identifier: Apache-2.0
//
// Rules of vta_axi_write_gate. Its own: an address or a beat that the bus sees stays until it is
// accepted, also through resets of the core. Each burst gets as many beats as it says, within 4
// KiB, with `wlast` at the last, and none without a burst. Beats that replace those of the core
// have no strobes. A response while the bus has no whole burst is taken and counted nowhere. `idle`
// only without a burst. The rules of its surroundings, assumed with ASSUMES: the core keeps its
// requests stable, has at most eight bursts in flight, sends beats after their address and no
// others, and stays in reset until `idle`. Of the bus nothing is assumed.
module vta_axi_write_gate_properties #(
    parameter ASSUMES = 0
) (
    input wire        clk,
    input wire        rst,
    input wire        drop,
    input wire        idle,
    input wire        c_awvalid,
    input wire        c_awready,
    input wire [31:0] c_awaddr,
    input wire [ 7:0] c_awlen,
    input wire        c_wvalid,
    input wire        c_wready,
    input wire [63:0] c_wdata,
    input wire        c_bvalid,
    input wire [31:0] awaddr,
    input wire [ 3:0] awlen,
    input wire        awvalid,
    input wire        awready,
    input wire [63:0] wdata,
    input wire [ 7:0] wstrb,
    input wire        wlast,
    input wire        wvalid,
    input wire        wready,
    input wire        bvalid,
    input wire        bready,
    input wire        fills,
    input wire        length_empty,
    input wire [ 3:0] length,
    input wire [ 3:0] beat,
    input wire [ 4:0] bursts,
    input wire [ 4:0] written
);
  localparam BURSTS = 8;
  wire live;
  hls_reset_seen reset (
      .clk (clk),
      .rst (rst),
      .seen(live)
  );
  wire takes = c_awvalid & c_awready;
  wire sent = wvalid & wready;
  reg [4:0] unsent, complete;
  // A response to a design before this one: no burst has its address and its last beat on the bus.
  wire stale = bvalid & (complete == 5'd0 | unsent + complete == 5'(awvalid));
  wire answered = bvalid & bready & ~stale;

  // Beats that each burst without all of its data still needs on the bus, the oldest at 0; bursts
  // that have all of their data and no response.
  reg [5*BURSTS-1:0] needed;
  reg [4:0] of_core;  // bursts of the core since its reset, without a response
  wire [4:0] oldest = needed[4:0];
  // Beats that the first burst with a length still needs from the core.
  wire [4:0] first_without =
      wvalid & wlast ? needed[9:5] : oldest - 5'(wvalid);
  wire ends = sent & (oldest == 5'd1);
  wire [5*BURSTS-1:0] after_beat =
      ends ? needed >> 5 : needed - {{(5 * BURSTS - 1) {1'b0}}, sent};
  wire [4:0] place = unsent - 5'(ends);
  wire [5*BURSTS-1:0] beats = (5 * BURSTS)'(c_awlen[4:0] + 5'd1);
  wire [5*BURSTS-1:0] after_address =
      takes ? after_beat | (beats << (5 * 32'(place))) : after_beat;

  reg address_waited = 1'b0, beat_waited = 1'b0, core_waited = 1'b0, core_beat_waited = 1'b0;
  reg dropped = 1'b0, filled = 1'b0;
  reg [35:0] address_waiting;
  reg [72:0] beat_waiting;
  reg [39:0] core_waiting;
  reg [63:0] core_beat_waiting;
  wire is_legal = {1'b0, awaddr[11:0]} + {6'b0, awlen, 3'b0} + 13'd8 <= 13'd4096;
  wire core_is_legal = c_awlen < 8'd16 &
      {1'b0, c_awaddr[11:0]} + {2'b0, c_awlen, 3'b0} + 13'd8 <= 13'd4096;
  wire core = ~c_awvalid | drop | (core_is_legal & (of_core < 5'(BURSTS)));
  wire core_stays = ~core_waited | drop | (c_awvalid & {c_awaddr, c_awlen} == core_waiting);
  wire core_data = ~c_wvalid | drop | unsent != 5'(wvalid & wlast);
  wire core_data_stays = ~core_beat_waited | drop | (c_wvalid & c_wdata == core_beat_waiting);
  wire in_reset = ~dropped | drop | idle;

  always @(posedge clk) begin
    needed <= rst ? '0 : after_address;
    unsent <= rst ? 5'd0 : unsent + 5'(takes) - 5'(ends);
    complete <= rst ? 5'd0 : complete + 5'(ends) - 5'(answered);
    of_core <= rst | drop ? 5'd0 : of_core + 5'(takes) - 5'(answered);
    address_waited <= live & ~rst & awvalid & ~awready;
    beat_waited <= live & ~rst & wvalid & ~wready;
    address_waiting <= {awaddr, awlen};
    beat_waiting <= {wdata, wstrb, wlast};
    core_waited <= live & ~rst & ~drop & c_awvalid & ~c_awready;
    core_waiting <= {c_awaddr, c_awlen};
    core_beat_waited <= live & ~rst & ~drop & c_wvalid & ~c_wready;
    core_beat_waiting <= c_wdata;
    dropped <= drop & ~rst;
    filled <= live & ~rst & fills;
    if (live & ~rst) begin
      if (ASSUMES) begin
        assume (core);
        assume (core_stays);
        assume (core_data);
        assume (core_data_stays);
        assume (in_reset);
      end else begin
        assert (core);
        assert (core_stays);
        assert (core_data);
        assert (core_data_stays);
        assert (in_reset);
      end
`ifdef LEMMAS
      // The proof of hls_fifo: what leaves it has been pushed, in order.
      if (~length_empty) assume (5'(length) + 5'd1 == 5'(beat) + first_without);
`else
      if (~length_empty) assert (5'(length) + 5'd1 == 5'(beat) + first_without);
`endif
      if (address_waited) assert (awvalid & {awaddr, awlen} == address_waiting);
      if (beat_waited) assert (wvalid & {wdata, wstrb, wlast} == beat_waiting);
      if (awvalid) assert (is_legal);
      if (wvalid) assert (oldest != 5'd0 & wlast == (oldest == 5'd1));
      if (filled) assert (wvalid & wstrb == 8'h00);
      assert (bursts <= 5'(BURSTS) & {1'b0, bursts} == {1'b0, unsent} + {1'b0, complete});
      assert (written == complete);
      if (~drop) assert (of_core == bursts);
      assert (~c_bvalid | (~drop & of_core != 5'd0));
      if (stale) assert (bready & ~c_bvalid);
      assert (idle == (unsent == 5'd0 & complete == 5'd0));
      if (drop) assert (bready & ~c_awready & ~c_wready);
    end
  end
endmodule
bind vta_axi_write_gate vta_axi_write_gate_properties properties (
    .*
);
