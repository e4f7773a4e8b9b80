// SPDX-License-Identifier: Apache-2.0
//
// A true dual port RAM: port a reads, port b reads or writes. Words read are those from before.
module hls_ram_tdp #(
    parameter WIDTH = 32,
    parameter DEPTH = 16,
    parameter ADDRESS_BITS = DEPTH <= 2 ? 1 : $clog2(DEPTH)
) (
    input  wire                    clk,
    input  wire                    a_re,
    input  wire [ADDRESS_BITS-1:0] a_ra,
    output reg  [       WIDTH-1:0] a_rq,
    input  wire                    b_re,
    input  wire                    b_we,
    input  wire [ADDRESS_BITS-1:0] b_a,
    input  wire [       WIDTH-1:0] b_wd,
    output reg  [       WIDTH-1:0] b_rq
);
  (* ram_style = "block" *) reg [WIDTH-1:0] words[0:DEPTH-1];
  always @(posedge clk) if (a_re) a_rq <= words[a_ra];
  always @(posedge clk) begin
    if (b_re) b_rq <= words[b_a];
    if (b_we) words[b_a] <= b_wd;
  end
endmodule
