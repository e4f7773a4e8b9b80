// SPDX-License-Identifier: Apache-2.0
//
// Rules of the ports of hls_ram_tdp, as those of hls_ram.
module hls_ram_tdp_properties #(
    parameter DEPTH   = 16,
    parameter ASSUMES = 0,
    parameter ADDRESS_BITS = DEPTH <= 2 ? 1 : $clog2(DEPTH)
) (
    input wire                    clk,
    input wire                    a_re,
    input wire [ADDRESS_BITS-1:0] a_ra,
    input wire                    b_re,
    input wire                    b_we,
    input wire [ADDRESS_BITS-1:0] b_a
);
  wire a_inside = ~a_re | (32'(a_ra) < DEPTH);
  wire b_inside = ~(b_re | b_we) | (32'(b_a) < DEPTH);
  always @(posedge clk) begin
    if (ASSUMES) begin
      assume (a_inside);
      assume (b_inside);
    end else begin
      assert (a_inside);
      assert (b_inside);
    end
  end
endmodule
bind hls_ram_tdp hls_ram_tdp_properties #(
    .DEPTH(DEPTH)
) properties (
    .*
);
