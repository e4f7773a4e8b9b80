// SPDX-License-Identifier: Apache-2.0
//
// Which half of a cycle of clk it is, as a register of clk2x: 0 in the first half, 1 in the second.
// clk2x has twice the frequency of clk, and each rising edge of clk is one of clk2x.
module hls_clock_half (
    input  wire clk,
    input  wire clk2x,
    output reg  second
);
  // `parity` changes at each edge of clk, and `seen` follows half a cycle later.
  reg parity = 1'b0, seen = 1'b0;
  always @(posedge clk) parity <= ~parity;
  always @(posedge clk2x) begin
    seen   <= parity;
    second <= parity ^ seen;
  end
endmodule
