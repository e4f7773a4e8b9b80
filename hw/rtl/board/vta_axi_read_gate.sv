// SPDX-License-Identifier: Apache-2.0
//
// Isolates the bus from resets of the core, for a read master. A request that is visible to the bus
// stays until it is accepted. The beats of a burst from before the reset are dropped, also those
// that a design loaded before this one has requested, as long as the bus has no request.
module vta_axi_read_gate (
    input  wire        clk,
    input  wire        rst,
    input  wire        drop,       // the core is in reset
    output wire        idle,       // no burst is in flight
    // The core.
    input  wire        c_arvalid,
    output wire        c_arready,
    input  wire [31:0] c_araddr,
    input  wire [ 7:0] c_arlen,
    output wire        c_rvalid,
    input  wire        c_rready,
    // The bus.
    output wire        arvalid,
    input  wire        arready,
    output wire [31:0] araddr,
    output wire [ 3:0] arlen,
    input  wire        rvalid,
    output wire        rready,
    input  wire        rlast
);
  wire [4:0] bursts;
  wire takes, stale;  // stale: the bus has no request, so no beat is expected
  wire ends = rvalid & rready & rlast & ~stale;
  vta_axi_address_gate address (
      .clk, .rst, .drop, .ends, .takes, .bursts, .idle, .is_none(stale), .c_valid(c_arvalid),
      .c_ready(c_arready), .c_addr(c_araddr), .c_len(c_arlen), .valid(arvalid), .ready(arready),
      .addr(araddr), .len(arlen)
  );
  assign c_rvalid = rvalid & ~drop & ~stale;
  assign rready   = c_rready | drop | stale;

  wire unused = &{1'b0, takes, bursts};
endmodule
