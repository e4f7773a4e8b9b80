// SPDX-License-Identifier: Apache-2.0
//
// hls_double_pumped_sum beside three registers of one clock, for double_pump_test.py. All registers
// but those of hls_clock_half start with any value, so that a run says what follows from the last
// steps of any other run.
module double_pumped_sum #(
    parameter BITS  = 8,
    parameter WAITS = 1   // whether `advance` may be 0
) (
    input wire [6*BITS-1:0] any_operands,
    input wire              any_advance,
    input wire              any_advance_sum,
    input wire              any_early
);
  localparam SUM = 4 * BITS + 2;

  // Rising edges of clk and clk2x from 0 to 1, of clk2x alone from 2 to 3.
  reg [1:0] quarter = 2'd0;
  always @($global_clock) quarter <= quarter + 2'd1;
  wire clk = quarter == 2'd1 || quarter == 2'd2;
  wire clk2x = quarter[0];

  reg [6*BITS-1:0] operands;
  reg next_advance, next_advance_sum;
  wire advance = WAITS == 0 || next_advance;
  wire advance_sum = advance || next_advance_sum;
  wire is_early = quarter == 2'd1 || quarter == 2'd2;  // `advance` is not ready yet
  always @(posedge clk) begin
    next_advance <= any_advance;
    next_advance_sum <= any_advance_sum;
    if (advance) operands <= any_operands;
  end
  wire signed [BITS-1:0] low_0, high_0, shared_0, low_1, high_1, shared_1;
  assign {low_0, high_0, shared_0, low_1, high_1, shared_1} = operands;

  wire second;
  wire [SUM-1:0] sum;
  hls_clock_half half (
      .clk(clk),
      .clk2x(clk2x),
      .second(second)
  );
  hls_double_pumped_sum #(
      .BITS(BITS)
  ) pumped (
      .clk(clk),
      .clk2x(clk2x),
      .second(second),
      .advance(WAITS != 0 && is_early ? any_early : advance),
      .advance_sum(WAITS != 0 && is_early ? any_early : advance_sum),
      .low_0(low_0),
      .high_0(high_0),
      .shared_0(shared_0),
      .low_1(low_1),
      .high_1(high_1),
      .shared_1(shared_1),
      .sum(sum)
  );

  // One clock.
  localparam FACTOR = 3 * BITS + 1;
  wire signed [FACTOR-1:0] packed_0 = {high_0[BITS-1], high_0, {2 * BITS{1'b0}}} + FACTOR'(low_0);
  wire signed [FACTOR-1:0] packed_1 = {high_1[BITS-1], high_1, {2 * BITS{1'b0}}} + FACTOR'(low_1);
  wire signed [SUM-2:0] product_0 = packed_0 * shared_0;
  wire signed [SUM-2:0] product_1 = packed_1 * shared_1;
  wire [SUM-1:0] bias = (1 << (2 * BITS - 1)) - 1;
  wire [SUM-1:0] result = bias + {product_0[SUM-2], product_0} + {product_1[SUM-2], product_1};
  reg [SUM-1:0] stage_1, stage_2, stage_3;
  reg [2:0] steps = 3'd0;
  always @(posedge clk) begin
    if (advance) begin
      stage_1 <= result;
      stage_2 <= stage_1;
      if (steps != 3'd5) steps <= steps + 3'd1;
    end
    if (advance_sum) stage_3 <= stage_2;
  end
  // The first steps fill the registers.
  always @(posedge clk) if (steps == 3'd5) assert (sum == stage_3);

  // The sums of the low and of the high products, for few bits only, as hw/hlsc/emit/packed_sums.cc takes them.
  wire signed [2*BITS-1:0] low_product_0 = low_0 * shared_0, low_product_1 = low_1 * shared_1;
  wire signed [2*BITS-1:0] high_product_0 = high_0 * shared_0, high_product_1 = high_1 * shared_1;
  wire signed [2*BITS:0] low_sum = low_product_0 + low_product_1;
  wire signed [2*BITS:0] high_sum = high_product_0 + high_product_1;
  wire signed [2*BITS-1:0] low_less_1 = {~result[2*BITS-1], result[2*BITS-2:0]};
  wire signed [2*BITS:0] upper = result[SUM-2:2*BITS];
  always @(posedge clk) begin
    if (WAITS == 0 && BITS <= 3) assert (low_sum == low_less_1 + 1);
    if (WAITS == 0 && BITS <= 3) assert (high_sum == upper);
  end
endmodule
