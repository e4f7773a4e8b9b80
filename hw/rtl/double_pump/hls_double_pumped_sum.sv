// SPDX-License-Identifier: Apache-2.0
//
// Two packed products and their sum on one DSP48E1 at the doubled clock, for each cycle of clk:
//
//   sum = BIAS + ((high_0 << 2 BITS) + low_0) * shared_0 + ((high_1 << 2 BITS) + low_1) * shared_1
//
// All operands are signed. The products low * shared are in the low 2 BITS bits of the sum, the
// products high * shared above. BIAS keeps the low bits from borrowing: with it the sum of two low
// products, -32512 to 32768, is not negative and fits (hw/hlsc/emit/packed_sums.cc).
//
// clk2x has twice the frequency of clk, and each rising edge of clk is one of clk2x. `second` is the
// register of hls_clock_half. `sum` behaves as the last of three registers of clk, the first of which
// takes the result: two with the enable `advance`, then one with `advance_sum`, which is 1 wherever
// `advance` is. Operands change only at edges of clk at which `advance` is 1. Both are used at the end
// of cycles only.
//
// The steps at clk2x: A, B and D take product 0 half a cycle after its operands change, and product
// 1 at the end of the cycle. Then each takes half a cycle to AD, to M and to P.
(* keep_hierarchy *)  // until products are mapped: pre-adders of equal factors must not be shared
module hls_double_pumped_sum #(
    parameter BITS = 8,  // of an operand; fewer in proofs
    parameter FACTOR = 3 * BITS + 1,
    parameter SUM = 4 * BITS + 2,
    parameter [SUM-1:0] BIAS = (1 << (2 * BITS - 1)) - 1
) (
    input  wire                   clk,
    input  wire                   clk2x,
    input  wire                   second,
    input  wire                   advance,
    input  wire                   advance_sum,
    input  wire signed [BITS-1:0] low_0,
    input  wire signed [BITS-1:0] high_0,
    input  wire signed [BITS-1:0] shared_0,
    input  wire signed [BITS-1:0] low_1,
    input  wire signed [BITS-1:0] high_1,
    input  wire signed [BITS-1:0] shared_1,
    output reg         [ SUM-1:0] sum
);
  // The edge in the middle of a cycle belongs to the step that began with the cycle.
  reg advanced;
  always @(posedge clk) advanced <= advance;
  wire enable = second ? advance : advanced;

  wire signed [BITS-1:0] high = second ? high_1 : high_0;
  wire signed [BITS-1:0] low = second ? low_1 : low_0;
  wire signed [BITS-1:0] shared = second ? shared_1 : shared_0;

  // The registers of a DSP48E1: A, D, AD, B1, B2, M, P.
  reg signed [FACTOR-1:0] a, d, ad;
  reg signed [BITS-1:0] b1, b2;
  reg signed [SUM-2:0] m;
  reg [SUM-1:0] p;
  always @(posedge clk2x) begin
    if (enable) begin
      a  <= {high[BITS-1], high, {2 * BITS{1'b0}}};
      d  <= FACTOR'(low);
      b1 <= shared;
      ad <= a + d;
      b2 <= b1;
      m  <= ad * b2;
      p  <= (second ? BIAS : p) + {m[SUM-2], m};  // M has product 0 in the second half
    end
  end
  always @(posedge clk) if (advance_sum) sum <= p;
endmodule
