// SPDX-License-Identifier: Apache-2.0
//
// A true dual-port RAM: port a reads, port b reads or writes. Read-first, also with respect to the
// other port's writes; a_rq and b_rq keep their values without a_re and b_re.
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
    output wire [       WIDTH-1:0] b_rq
);
  (* ram_style = "block" *) reg [WIDTH-1:0] words[0:DEPTH-1];
  always @(posedge clk) if (a_re) a_rq <= words[a_ra];

  // A block RAM's port has one enable, and port a gets the old word only if port b's own output
  // takes that word as well. So a write changes the output register, and b_kept holds its previous
  // value.
  reg [WIDTH-1:0] b_word, b_kept;
  reg b_wrote;  // since the last read
  assign b_rq = b_wrote ? b_kept : b_word;
  always @(posedge clk) begin
    if (b_re | b_we) begin
      b_word  <= words[b_a];
      b_wrote <= ~b_re;
      if (b_we) words[b_a] <= b_wd;
    end
    if (b_we) b_kept <= b_rq;
  end
endmodule
