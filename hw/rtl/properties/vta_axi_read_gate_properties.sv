// SPDX-License-Identifier: Apache-2.0
//
// Rules of vta_axi_read_gate. Its own: a request that the bus sees stays until it is accepted, also
// through resets of the core. Bursts have at most 16 beats within 4 KiB. The core gets no beat of a
// burst from before its reset, and none that was not requested: such beats are taken and counted
// nowhere. `idle` only without a burst. The rules of its surroundings, assumed with ASSUMES: the
// core keeps requests stable, has at most eight bursts in flight, and stays in reset until `idle`.
module vta_axi_read_gate_properties #(
    parameter ASSUMES = 0
) (
    input wire        clk,
    input wire        rst,
    input wire        drop,
    input wire        idle,
    input wire        c_arvalid,
    input wire        c_arready,
    input wire [31:0] c_araddr,
    input wire [ 7:0] c_arlen,
    input wire        c_rvalid,
    input wire        c_rready,
    input wire [31:0] araddr,
    input wire [ 3:0] arlen,
    input wire        arvalid,
    input wire        arready,
    input wire        rlast,
    input wire        rvalid,
    input wire        rready,
    input wire [ 4:0] bursts
);
  localparam BURSTS = 8;
  wire live;
  hls_reset_seen reset (
      .clk (clk),
      .rst (rst),
      .seen(live)
  );
  wire issue = arvalid & arready;
  reg [4:0] owed;  // bursts that the bus has accepted and not ended
  wire stale = rvalid & owed == 5'd0;  // of a design before this one
  wire ends = rvalid & rready & rlast & ~stale;
  reg [4:0] of_core;  // bursts that the core has requested since its reset and that have not ended
  reg waited = 1'b0, core_waited = 1'b0, dropped = 1'b0;
  reg [35:0] waiting;
  reg [39:0] core_waiting;
  wire is_legal = {1'b0, araddr[11:0]} + {6'b0, arlen, 3'b0} + 13'd8 <= 13'd4096;
  wire core_is_legal = c_arlen < 8'd16 &
      {1'b0, c_araddr[11:0]} + {2'b0, c_arlen, 3'b0} + 13'd8 <= 13'd4096;
  wire core = ~c_arvalid | drop | (core_is_legal & (of_core < 5'(BURSTS)));
  wire core_stays = ~core_waited | drop | (c_arvalid & {c_araddr, c_arlen} == core_waiting);
  wire in_reset = ~dropped | drop | idle;

  always @(posedge clk) begin
    owed <= rst ? 5'd0 : owed + 5'(issue) - 5'(ends);
    of_core <= rst | drop ? 5'd0 : of_core + 5'(c_arvalid & c_arready) - 5'(ends);
    waited <= live & ~rst & arvalid & ~arready;
    waiting <= {araddr, arlen};
    core_waited <= live & ~rst & ~drop & c_arvalid & ~c_arready;
    core_waiting <= {c_araddr, c_arlen};
    dropped <= drop & ~rst;
    if (live & ~rst) begin
      if (ASSUMES) begin
        assume (core);
        assume (core_stays);
        assume (in_reset);
      end else begin
        assert (core);
        assert (core_stays);
        assert (in_reset);
      end
      if (waited) assert (arvalid & {araddr, arlen} == waiting);
      if (arvalid) assert (is_legal);
      assert (bursts <= 5'(BURSTS) & bursts == owed + 5'(arvalid));
      assert (owed <= 5'(BURSTS));
      if (~drop) assert (of_core == bursts);
      assert (~c_rvalid | (~drop & of_core != 5'd0));
      if (stale) assert (rready & ~c_rvalid);
      assert (idle == (owed == 5'd0 & ~arvalid));
      if (drop) assert (rready & ~c_arready);
    end
  end
endmodule
bind vta_axi_read_gate vta_axi_read_gate_properties properties (
    .*
);
