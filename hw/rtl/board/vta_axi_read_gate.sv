// SPDX-License-Identifier: Apache-2.0
//
// Isolates the bus from resets of the core, for a read master: a request that is visible to the bus
// stays until it is accepted, and the beats of a burst from before the reset are dropped, also
// those that a design loaded before this one has requested, as long as the bus has no request.
// Adds a cycle to a request. AXI3: at most 16 beats; an AXI4 slave accepts the same.
module vta_axi_read_gate #(
    parameter ID_BITS = 6
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               drop,       // the core is in reset
    output wire               idle,       // no burst is in flight
    // The core.
    input  wire               c_arvalid,
    output wire               c_arready,
    input  wire [       31:0] c_araddr,
    input  wire [        7:0] c_arlen,
    output wire               c_rvalid,
    input  wire               c_rready,
    output wire [       63:0] c_rdata,
    output wire [        1:0] c_rresp,
    output wire               c_rlast,
    // The bus.
    output wire [ID_BITS-1:0] arid,
    output reg  [       31:0] araddr,
    output reg  [        3:0] arlen,
    output wire [        2:0] arsize,
    output wire [        1:0] arburst,
    output wire [        1:0] arlock,
    output wire [        3:0] arcache,
    output wire [        2:0] arprot,
    output wire [        3:0] arqos,
    output reg                arvalid,
    input  wire               arready,
    input  wire [ID_BITS-1:0] rid,
    input  wire [       63:0] rdata,
    input  wire [        1:0] rresp,
    input  wire               rlast,
    input  wire               rvalid,
    output wire               rready
);
  assign arid = '0;  // one ID: responses are in order
  assign arsize = 3'd3;  // 8 bytes a beat
  assign arburst = 2'b01;  // incrementing
  assign arlock = 2'b00;
  assign arcache = 4'b0011;  // may be buffered and merged
  assign arprot = 3'b000;
  assign arqos = 4'b0000;

  wire takes = c_arvalid & c_arready;
  reg [4:0] bursts;  // accepted from the core and not ended; at most eight
  wire stale = bursts == {4'b0, arvalid};  // the bus has no request, so no beat is expected
  wire ends = rvalid & rready & rlast & ~stale;
  assign c_arready = ~drop & (~arvalid | arready);
  assign idle = bursts == '0;

  assign c_rvalid = rvalid & ~drop & ~stale;
  assign rready = c_rready | drop | stale;
  assign c_rdata = rdata;
  assign c_rresp = rresp;
  assign c_rlast = rlast;

  always_ff @(posedge clk) begin
    if (arready) arvalid <= 1'b0;
    if (takes) begin
      arvalid <= 1'b1;
      araddr  <= c_araddr;
      arlen   <= c_arlen[3:0];
    end
    if (takes != ends) bursts <= takes ? bursts + 1'b1 : bursts - 1'b1;
    if (rst) begin
      arvalid <= 1'b0;
      bursts  <= '0;
    end
  end

  wire unused = &{1'b0, c_arlen[7:4], rid};
endmodule
