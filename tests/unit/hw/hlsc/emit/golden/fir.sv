// Fir: written by vta-hlsc

`ifndef HLS_SIMULATION
// process run of tests/hls/kernels/fir.cc:15
module Fir_run (
  input wire clk,
  input wire rst,
  input wire [15:0] in_data,
  input wire in_empty,
  output wire in_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output reg [15:0] line_0,
  output reg [15:0] line_1,
  output reg [15:0] line_2,
  output reg [15:0] line_3,
  output reg [15:0] line_4,
  output reg [15:0] line_5,
  output reg [15:0] line_6,
  output reg [15:0] line_7,
  output wire waits_in,
  output wire waits_out
);
  localparam [1:0] S_END = 2'd2;
  localparam [1:0] S0 = 2'd0;
  localparam [1:0] S1 = 2'd1;
  reg [1:0] hls_state;
  reg n0_level;
  reg n0_v1;
  reg n0_v2;
  reg [31:0] add12_38_partial0_p2;
  reg [31:0] add12_38_partial1_p2;
  reg [31:0] add12_38_partial2_p2;
  reg [31:0] add12_38_partial3_p2;
  reg [31:0] add12_38_partial4_p2;
  reg [31:0] add12_38_partial5_p2;
  reg [19:0] mul4_8_p1;
  reg [15:0] reg_read_10_p1;
  reg [31:0] mul4_1_14_p1;
  reg [15:0] reg_read_15_p1;
  reg [31:0] mul4_2_18_p1;
  reg [15:0] reg_read_19_p1;
  reg [31:0] mul4_4_24_p1;
  reg [18:0] mul4_5_27_p1;
  reg [19:0] mul4_6_31_p1;
  reg [15:0] reg_read_33_p1;
  reg [31:0] mul11_36_p1;
  reg [31:0] add12_37_p1;
  wire in_S0 = hls_state == S0;
  wire done_S0 = in_S0;
  wire n0_enter = done_S0;
  wire n0_runs = hls_state == S1;
  wire n0_v0 = n0_runs & n0_level == 1'd1;
  wire n0_waits2 = (n0_v2 & ~(~out_full));
  wire n0_adv2 = ~((n0_v2 & ~(~out_full)));
  wire n0_waits0 = (n0_v0 & ~(~in_empty));
  wire n0_adv0 = n0_adv2 & ~((n0_v0 & ~(~in_empty)));
  wire n0_go = n0_runs & ((n0_v0 & n0_adv0) | (n0_level != 1'd1 & n0_level != 1'd0));
  wire out_39_n0 = n0_v2 & n0_adv2;
  wire [31:0] add12_38_n0_2 = ((add12_38_partial0_p2 + (add12_38_partial1_p2 + add12_38_partial2_p2)) + (add12_38_partial3_p2 + (add12_38_partial4_p2 + add12_38_partial5_p2)));
  wire in_1_n0 = n0_v0 & n0_adv0;
  wire n0_done = n0_runs & ~(n0_level != 1'd0 | (n0_v1) | (n0_v2 & ~n0_adv2));
  assign in_pop = in_1_n0;
  assign out_push = out_39_n0;
  assign out_data = add12_38_n0_2;
  assign waits_in = ((n0_v0 & ~(~in_empty)) & ~n0_v1 & ~n0_v2);
  assign waits_out = ((n0_v2 & ~(~out_full)));

  always @(posedge clk) begin
    if (n0_adv2) begin : n0_stage1
      reg [31:0] mul4_9_n0_1_t;
      reg [31:0] conv2_1_11_n0_1_t;
      reg [31:0] add12_38_n0_1_partial0;
      reg [31:0] conv2_2_16_n0_1_t;
      reg [31:0] add12_38_n0_1_partial1;
      reg [31:0] conv2_3_20_n0_1_t;
      reg [31:0] add12_38_n0_1_partial2;
      reg [31:0] mul4_5_28_n0_1_t;
      reg [31:0] add12_38_n0_1_partial3;
      reg [31:0] mul4_6_32_n0_1_t;
      reg [31:0] conv10_34_n0_1_t;
      reg [31:0] add12_38_n0_1_partial4;
      reg [31:0] add12_38_n0_1_partial5;
      mul4_9_n0_1_t = {{12{mul4_8_p1[19]}}, mul4_8_p1};
      conv2_1_11_n0_1_t = {{16{reg_read_10_p1[15]}}, reg_read_10_p1};
      add12_38_n0_1_partial0 = (mul4_9_n0_1_t + conv2_1_11_n0_1_t);
      conv2_2_16_n0_1_t = {{16{reg_read_15_p1[15]}}, reg_read_15_p1};
      add12_38_n0_1_partial1 = (mul4_1_14_p1 + conv2_2_16_n0_1_t);
      conv2_3_20_n0_1_t = {{16{reg_read_19_p1[15]}}, reg_read_19_p1};
      add12_38_n0_1_partial2 = (mul4_2_18_p1 + conv2_3_20_n0_1_t);
      mul4_5_28_n0_1_t = {{13{mul4_5_27_p1[18]}}, mul4_5_27_p1};
      add12_38_n0_1_partial3 = (mul4_4_24_p1 + mul4_5_28_n0_1_t);
      mul4_6_32_n0_1_t = {{12{mul4_6_31_p1[19]}}, mul4_6_31_p1};
      conv10_34_n0_1_t = {{16{reg_read_33_p1[15]}}, reg_read_33_p1};
      add12_38_n0_1_partial4 = (mul4_6_32_n0_1_t + conv10_34_n0_1_t);
      add12_38_n0_1_partial5 = (mul11_36_p1 + add12_37_p1);
      add12_38_partial0_p2 <= add12_38_n0_1_partial0;
      add12_38_partial1_p2 <= add12_38_n0_1_partial1;
      add12_38_partial2_p2 <= add12_38_n0_1_partial2;
      add12_38_partial3_p2 <= add12_38_n0_1_partial3;
      add12_38_partial4_p2 <= add12_38_n0_1_partial4;
      add12_38_partial5_p2 <= add12_38_n0_1_partial5;
    end
    n0_v2 <= (n0_v1 & n0_adv2) | (n0_v2 & ~n0_adv2);
    if (n0_adv0) begin : n0_stage0
      reg [19:0] mul4_8_n0_0_t;
      reg [29:0] mul4_1_12_n0_0_t;
      reg [31:0] mul4_1_14_n0_0_t;
      reg [30:0] mul4_2_17_n0_0_t;
      reg [31:0] mul4_2_18_n0_0_t;
      reg [31:0] conv2_4_22_n0_0_t;
      reg [31:0] mul4_4_24_n0_0_t;
      reg [18:0] mul4_5_27_n0_0_t;
      reg [19:0] mul4_6_31_n0_0_t;
      reg [29:0] mul11_35_n0_0_t;
      reg [31:0] mul11_36_n0_0_t;
      reg [31:0] conv_2_n0_0_t;
      reg [30:0] mul_3_n0_0_t;
      reg [31:0] mul_5_n0_0_t;
      reg [31:0] add12_37_n0_0_t;
      mul4_8_n0_0_t = $signed(line_7) * $signed(4'd7);
      mul4_1_12_n0_0_t = {{14{line_6[15]}}, line_6};
      mul4_1_14_n0_0_t = {mul4_1_12_n0_0_t, 2'd0};
      mul4_2_17_n0_0_t = {{15{line_5[15]}}, line_5};
      mul4_2_18_n0_0_t = {mul4_2_17_n0_0_t, 1'd0};
      conv2_4_22_n0_0_t = {{16{line_3[15]}}, line_3};
      mul4_4_24_n0_0_t = 32'd0 - conv2_4_22_n0_0_t;
      mul4_5_27_n0_0_t = $signed(line_2) * $signed(3'd5);
      mul4_6_31_n0_0_t = $signed(line_1) * $signed(4'hB);
      mul11_35_n0_0_t = {{14{line_0[15]}}, line_0};
      mul11_36_n0_0_t = {mul11_35_n0_0_t, 2'd0};
      conv_2_n0_0_t = {{16{in_data[15]}}, in_data};
      mul_3_n0_0_t = {{15{in_data[15]}}, in_data};
      mul_5_n0_0_t = {mul_3_n0_0_t, 1'd0};
      add12_37_n0_0_t = (conv_2_n0_0_t + mul_5_n0_0_t);
      mul4_8_p1 <= mul4_8_n0_0_t;
      reg_read_10_p1 <= line_6;
      mul4_1_14_p1 <= mul4_1_14_n0_0_t;
      reg_read_15_p1 <= line_5;
      mul4_2_18_p1 <= mul4_2_18_n0_0_t;
      reg_read_19_p1 <= line_4;
      mul4_4_24_p1 <= mul4_4_24_n0_0_t;
      mul4_5_27_p1 <= mul4_5_27_n0_0_t;
      mul4_6_31_p1 <= mul4_6_31_n0_0_t;
      reg_read_33_p1 <= line_0;
      mul11_36_p1 <= mul11_36_n0_0_t;
      add12_37_p1 <= add12_37_n0_0_t;
      if (n0_v0) begin
        line_0 <= in_data;
        line_1 <= line_0;
        line_2 <= line_1;
        line_3 <= line_2;
        line_4 <= line_3;
        line_5 <= line_4;
        line_6 <= line_5;
        line_7 <= line_6;
      end
    end
    n0_v1 <= (n0_v0 & n0_adv0) | (n0_v1 & ~n0_adv2);
    if (n0_enter | n0_go) begin : n0_counters
      reg n0_goes_on1;
      reg n0_active1;
      n0_goes_on1 = (n0_level >= 1'd1) & 1'd1;
      n0_active1 = (~n0_enter & (n0_goes_on1)) | (n0_enter & 1'd1);
      n0_level <= n0_active1 ? 1'd1 : 1'd0;
    end
    if (n0_done) begin : after_n0
      hls_state <= S_END;
    end
    if (done_S0) begin : at_S0  // run
      hls_state <= S1;
    end
    if (rst) begin
      hls_state <= S0;
      n0_v1 <= 1'b0;
      n0_v2 <= 1'b0;
      n0_level <= 1'd0;
      line_0 <= 16'd0;
      line_1 <= 16'd0;
      line_2 <= 16'd0;
      line_3 <= 16'd0;
      line_4 <= 16'd0;
      line_5 <= 16'd0;
      line_6 <= 16'd0;
      line_7 <= 16'd0;
    end
  end
endmodule
`else
// process run of tests/hls/kernels/fir.cc:15
module Fir_run (
  input wire clk,
  input wire rst,
  input wire [15:0] in_data,
  input wire in_empty,
  output wire in_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output reg [15:0] line_0,
  output reg [15:0] line_1,
  output reg [15:0] line_2,
  output reg [15:0] line_3,
  output reg [15:0] line_4,
  output reg [15:0] line_5,
  output reg [15:0] line_6,
  output reg [15:0] line_7,
  output wire waits_in,
  output wire waits_out
);
  localparam [1:0] S_END = 2'd2;
  localparam [1:0] S0 = 2'd0;
  localparam [1:0] S1 = 2'd1;
  reg [1:0] hls_state;
  reg n0_level;
  reg n0_v1;
  reg n0_v2;
  reg [31:0] add12_38_p2;
  reg [31:0] add12_38_p1;
  wire in_S0 = hls_state == S0;
  wire done_S0 = in_S0;
  wire n0_enter = done_S0;
  wire n0_runs = hls_state == S1;
  wire n0_v0 = n0_runs & n0_level == 1'd1;
  wire n0_waits2 = (n0_v2 & ~(~out_full));
  wire n0_adv2 = ~((n0_v2 & ~(~out_full)));
  wire n0_waits0 = (n0_v0 & ~(~in_empty));
  wire n0_adv0 = n0_adv2 & ~((n0_v0 & ~(~in_empty)));
  wire n0_go = n0_runs & ((n0_v0 & n0_adv0) | (n0_level != 1'd1 & n0_level != 1'd0));
  wire out_39_n0 = n0_v2 & n0_adv2;
  wire in_1_n0 = n0_v0 & n0_adv0;
  wire n0_done = n0_runs & ~(n0_level != 1'd0 | (n0_v1) | (n0_v2 & ~n0_adv2));
  assign in_pop = in_1_n0;
  assign out_push = out_39_n0;
  assign out_data = add12_38_p2;
  assign waits_in = ((n0_v0 & ~(~in_empty)) & ~n0_v1 & ~n0_v2);
  assign waits_out = ((n0_v2 & ~(~out_full)));

  always @(posedge clk) begin
    if (n0_v1 & n0_adv2) begin : n0_stage1
      add12_38_p2 <= add12_38_p1;
    end
    n0_v2 <= (n0_v1 & n0_adv2) | (n0_v2 & ~n0_adv2);
    if (n0_v0 & n0_adv0) begin : n0_stage0
      reg [19:0] mul4_8_n0_0_t;
      reg [31:0] mul4_9_n0_0_t;
      reg [31:0] conv2_1_11_n0_0_t;
      reg [29:0] mul4_1_12_n0_0_t;
      reg [31:0] mul4_1_14_n0_0_t;
      reg [31:0] conv2_2_16_n0_0_t;
      reg [30:0] mul4_2_17_n0_0_t;
      reg [31:0] mul4_2_18_n0_0_t;
      reg [31:0] conv2_3_20_n0_0_t;
      reg [31:0] conv2_4_22_n0_0_t;
      reg [31:0] mul4_4_24_n0_0_t;
      reg [18:0] mul4_5_27_n0_0_t;
      reg [31:0] mul4_5_28_n0_0_t;
      reg [19:0] mul4_6_31_n0_0_t;
      reg [31:0] mul4_6_32_n0_0_t;
      reg [31:0] conv10_34_n0_0_t;
      reg [29:0] mul11_35_n0_0_t;
      reg [31:0] mul11_36_n0_0_t;
      reg [31:0] conv_2_n0_0_t;
      reg [30:0] mul_3_n0_0_t;
      reg [31:0] mul_5_n0_0_t;
      reg [31:0] add12_37_n0_0_t;
      reg [31:0] add12_38_n0_0_t;
      mul4_8_n0_0_t = $signed(line_7) * $signed(4'd7);
      mul4_9_n0_0_t = {{12{mul4_8_n0_0_t[19]}}, mul4_8_n0_0_t};
      conv2_1_11_n0_0_t = {{16{line_6[15]}}, line_6};
      mul4_1_12_n0_0_t = {{14{line_6[15]}}, line_6};
      mul4_1_14_n0_0_t = {mul4_1_12_n0_0_t, 2'd0};
      conv2_2_16_n0_0_t = {{16{line_5[15]}}, line_5};
      mul4_2_17_n0_0_t = {{15{line_5[15]}}, line_5};
      mul4_2_18_n0_0_t = {mul4_2_17_n0_0_t, 1'd0};
      conv2_3_20_n0_0_t = {{16{line_4[15]}}, line_4};
      conv2_4_22_n0_0_t = {{16{line_3[15]}}, line_3};
      mul4_4_24_n0_0_t = 32'd0 - conv2_4_22_n0_0_t;
      mul4_5_27_n0_0_t = $signed(line_2) * $signed(3'd5);
      mul4_5_28_n0_0_t = {{13{mul4_5_27_n0_0_t[18]}}, mul4_5_27_n0_0_t};
      mul4_6_31_n0_0_t = $signed(line_1) * $signed(4'hB);
      mul4_6_32_n0_0_t = {{12{mul4_6_31_n0_0_t[19]}}, mul4_6_31_n0_0_t};
      conv10_34_n0_0_t = {{16{line_0[15]}}, line_0};
      mul11_35_n0_0_t = {{14{line_0[15]}}, line_0};
      mul11_36_n0_0_t = {mul11_35_n0_0_t, 2'd0};
      conv_2_n0_0_t = {{16{in_data[15]}}, in_data};
      mul_3_n0_0_t = {{15{in_data[15]}}, in_data};
      mul_5_n0_0_t = {mul_3_n0_0_t, 1'd0};
      add12_37_n0_0_t = (conv_2_n0_0_t + mul_5_n0_0_t);
      add12_38_n0_0_t = (((mul4_9_n0_0_t + (conv2_1_11_n0_0_t + mul4_1_14_n0_0_t)) + (conv2_2_16_n0_0_t + (mul4_2_18_n0_0_t + conv2_3_20_n0_0_t))) + ((mul4_4_24_n0_0_t + (mul4_5_28_n0_0_t + mul4_6_32_n0_0_t)) + (conv10_34_n0_0_t + (mul11_36_n0_0_t + add12_37_n0_0_t))));
      line_0 <= in_data;
      line_1 <= line_0;
      line_2 <= line_1;
      line_3 <= line_2;
      line_4 <= line_3;
      line_5 <= line_4;
      line_6 <= line_5;
      line_7 <= line_6;
      add12_38_p1 <= add12_38_n0_0_t;
    end
    n0_v1 <= (n0_v0 & n0_adv0) | (n0_v1 & ~n0_adv2);
    if (n0_enter | n0_go) begin : n0_counters
      reg n0_goes_on1;
      reg n0_active1;
      n0_goes_on1 = (n0_level >= 1'd1) & 1'd1;
      n0_active1 = (~n0_enter & (n0_goes_on1)) | (n0_enter & 1'd1);
      n0_level <= n0_active1 ? 1'd1 : 1'd0;
    end
    if (n0_done) begin : after_n0
      hls_state <= S_END;
    end
    if (done_S0) begin : at_S0  // run
      hls_state <= S1;
    end
    if (rst) begin
      hls_state <= S0;
      n0_v1 <= 1'b0;
      n0_v2 <= 1'b0;
      n0_level <= 1'd0;
      line_0 <= 16'd0;
      line_1 <= 16'd0;
      line_2 <= 16'd0;
      line_3 <= 16'd0;
      line_4 <= 16'd0;
      line_5 <= 16'd0;
      line_6 <= 16'd0;
      line_7 <= 16'd0;
    end
  end
endmodule
`endif

module Fir (
  input wire clk,
  input wire rst,
  input wire [15:0] in_data,
  input wire in_empty,
  output wire in_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output wire [15:0] line_0,
  output wire [15:0] line_1,
  output wire [15:0] line_2,
  output wire [15:0] line_3,
  output wire [15:0] line_4,
  output wire [15:0] line_5,
  output wire [15:0] line_6,
  output wire [15:0] line_7,
  output wire run_waits_in,
  output wire run_waits_out
);
  Fir_run i_run (.clk(clk), .rst(rst), .in_data(in_data), .in_empty(in_empty), .in_pop(in_pop), .out_data(out_data), .out_full(out_full), .out_push(out_push), .line_0(line_0), .line_1(line_1), .line_2(line_2), .line_3(line_3), .line_4(line_4), .line_5(line_5), .line_6(line_6), .line_7(line_7), .waits_in(run_waits_in), .waits_out(run_waits_out));
endmodule
