// SPDX-License-Identifier: Apache-2.0
//
// hls_double_pumped_sum with its clocks, as one model.
module double_pumped (
    input  wire        clk,
    input  wire        clk2x,
    input  wire        advance,
    input  wire        advance_sum,
    input  wire [ 7:0] low   [2],
    input  wire [ 7:0] high  [2],
    input  wire [ 7:0] shared[2],
    output wire [33:0] sum
);
  wire second;
  hls_clock_half half (
      .clk(clk),
      .clk2x(clk2x),
      .second(second)
  );
  hls_double_pumped_sum pumped (
      .clk(clk),
      .clk2x(clk2x),
      .second(second),
      .advance(advance),
      .advance_sum(advance_sum),
      .low_0(low[0]),
      .high_0(high[0]),
      .shared_0(shared[0]),
      .low_1(low[1]),
      .high_1(high[1]),
      .shared_1(shared[1]),
      .sum(sum)
  );
endmodule
