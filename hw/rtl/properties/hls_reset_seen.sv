// SPDX-License-Identifier: Apache-2.0
//
// Whether there has been a reset: before, the rules of a module do not apply. Proofs start with
// one.
module hls_reset_seen (
    input  wire clk,
    input  wire rst,
    output wire seen
);
`ifdef FORMAL
  assign seen = 1'b1;
  reg is_first = 1'b1;
  always @(posedge clk) begin
    is_first <= 1'b0;
    if (is_first) assume (rst);
  end
`else
  reg was_reset = 1'b0;
  assign seen = was_reset;
  always @(posedge clk) if (rst) was_reset <= 1'b1;
`endif
endmodule
