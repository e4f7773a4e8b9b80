// SPDX-License-Identifier: Apache-2.0
//
// The address channel of a gate: holds a request until the bus accepts it, also through resets of
// the core, and counts bursts. Adds a cycle to a request. AXI3: at most 16 beats; an AXI4 slave
// accepts the same.
module vta_axi_address_gate (
    input  wire        clk,
    input  wire        rst,
    input  wire        drop,     // the core is in reset
    input  wire        ends,     // a burst
    output wire        takes,    // a request of the core
    output reg  [ 4:0] bursts,   // accepted from the core and not ended; at most eight
    output wire        idle,     // no burst is in flight
    output wire        is_none,  // the bus has accepted no request that has not ended
    // The core.
    input  wire        c_valid,
    output wire        c_ready,
    input  wire [31:0] c_addr,
    input  wire [ 7:0] c_len,
    // The bus.
    output reg         valid,
    input  wire        ready,
    output reg  [31:0] addr,
    output reg  [ 3:0] len
);
  assign takes = c_valid & c_ready;
  assign c_ready = ~drop & (~valid | ready);
  assign idle = bursts == '0;
  assign is_none = bursts == {4'b0, valid};

  always_ff @(posedge clk) begin
    if (ready) valid <= 1'b0;
    if (takes) begin
      valid <= 1'b1;
      addr  <= c_addr;
      len   <= c_len[3:0];
    end
    if (takes != ends) bursts <= takes ? bursts + 1'b1 : bursts - 1'b1;
    if (rst) begin
      valid  <= 1'b0;
      bursts <= '0;
    end
  end

  wire unused = &{1'b0, c_len[7:4]};
endmodule
