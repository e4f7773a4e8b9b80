// SPDX-License-Identifier: Apache-2.0
//
// Rules of the ports of hls_ram: addresses are within the memory. ASSUMES as in
// hls_fifo_properties.
module hls_ram_properties #(
    parameter DEPTH   = 16,
    parameter LANES   = 1,
    parameter ASSUMES = 0,
    parameter ADDRESS_BITS = DEPTH <= 2 ? 1 : $clog2(DEPTH)
) (
    input wire                    clk,
    input wire                    re,
    input wire [ADDRESS_BITS-1:0] ra,
    input wire [       LANES-1:0] we,
    input wire [ADDRESS_BITS-1:0] wa
);
  wire reads_inside = ~re | (32'(ra) < DEPTH);
  wire writes_inside = (we == '0) | (32'(wa) < DEPTH);
  always @(posedge clk) begin
    if (ASSUMES) begin
      assume (reads_inside);
      assume (writes_inside);
    end else begin
      assert (reads_inside);
      assert (writes_inside);
    end
  end
endmodule
bind hls_ram hls_ram_properties #(
    .DEPTH(DEPTH),
    .LANES(LANES)
) properties (
    .*
);
