// TableProduct: written by vta-hlsc

`ifndef HLS_SIMULATION
// process run of tests/hls/kernels/table_product.cc:15
module TableProduct_run (
  input wire clk,
  input wire rst,
  input wire [15:0] in_data,
  input wire in_empty,
  output wire in_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output wire order_re,
  output wire [5:0] order_ra,
  input wire [7:0] order_rq,
  output wire order_we,
  output wire [5:0] order_wa,
  output wire [7:0] order_wd,
  output wire weights_re,
  output wire [7:0] weights_ra,
  input wire [15:0] weights_rq,
  output wire weights_we,
  output wire [7:0] weights_wa,
  output wire [15:0] weights_wd,
  output wire counts_re,
  output wire [7:0] counts_ra,
  input wire [15:0] counts_rq,
  output wire counts_we,
  output wire [7:0] counts_wa,
  output wire [15:0] counts_wd,
  output wire waits_in,
  output wire waits_out
);
  localparam [2:0] S0 = 3'd0;
  localparam [2:0] S1 = 3'd1;
  localparam [2:0] S2 = 3'd2;
  localparam [2:0] S3 = 3'd3;
  localparam [2:0] S4 = 3'd4;
  localparam [2:0] S5 = 3'd5;
  localparam [2:0] S6 = 3'd6;
  reg [2:0] hls_state;
  reg [15:0] stream_read_14_c;
  reg [8:0] i_0_1_r;
  reg [6:0] i4_0_15_r;
  reg [15:0] i16_0_25_r;
  reg n0_level;
  reg n1_level;
  reg n2_goes_on1_ahead;
  reg n2_level;
  reg n2_v1;
  reg n2_v2;
  reg n2_v3;
  reg n2_v4;
  reg n2_v5;
  reg [31:0] add42_39_p5;
  reg [15:0] stream_read_27_p4;
  reg [7:0] ram_read_30_p4;
  reg [15:0] ram_read_32_p4;
  reg [15:0] stream_read_27_p3;
  reg [7:0] ram_read_30_p3;
  reg [15:0] stream_read_27_p2;
  reg [7:0] ram_read_30_p2;
  reg [15:0] stream_read_27_p1;
  reg counts_33_met;
  reg [15:0] counts_33_new;
  wire [15:0] counts_33_word = {counts_33_met ? counts_33_new : counts_rq};
  wire in_S0 = hls_state == S0;
  wire done_S0 = in_S0;
  wire n0_enter = done_S0;
  wire n0_runs = hls_state == S2;
  wire in_S1 = hls_state == S1;
  wire done_S1 = in_S1;
  wire in_S3 = hls_state == S3;
  wire done_S3 = in_S3 & ~in_empty;
  wire n1_enter = done_S3;
  wire n1_runs = hls_state == S5;
  wire in_S4 = hls_state == S4;
  wire done_S4 = in_S4;
  wire n2_enter = done_S4;
  wire n2_runs = hls_state == S6;
  wire n0_v0 = n0_runs & n0_level == 1'd1;
  wire n0_go = n0_runs & ((n0_v0) | (n0_level != 1'd1 & n0_level != 1'd0));
  wire weights_lanes0_n0_0 = 1'd1;
  wire [9:0] mul_8_n0_0 = {1'd0, i_0_1_r};
  wire [15:0] mul_10_n0_0 = $signed(mul_8_n0_0) * $signed(10'h103);
  wire weights_lanes_n0_0 = weights_lanes0_n0_0;
  wire [15:0] weights_word_n0_0 = {mul_10_n0_0};
  wire [7:0] weights_at_n0_0 = i_0_1_r[7:0];
  wire weights_wants_n0_0 = n0_v0 & (1'b1);
  wire weights_writes_n0_0 = weights_wants_n0_0;
  wire counts_lanes0_n0_0 = 1'd1;
  wire counts_lanes_n0_0 = counts_lanes0_n0_0;
  wire [15:0] counts_word_n0_0 = {16'd0};
  wire [7:0] counts_at_n0_0 = i_0_1_r[7:0];
  wire counts_wants_n0_0 = n0_v0 & (1'b1);
  wire counts_writes_n0_0 = counts_wants_n0_0;
  wire n0_done = n0_runs & ~(n0_level != 1'd0);
  wire n1_v0 = n1_runs & n1_level == 1'd1;
  wire n1_waits0 = (n1_v0 & ~(~in_empty));
  wire n1_adv0 = ~((n1_v0 & ~(~in_empty)));
  wire n1_go = n1_runs & ((n1_v0 & n1_adv0) | (n1_level != 1'd1 & n1_level != 1'd0));
  wire in_19_n1 = n1_v0 & n1_adv0;
  wire order_lanes0_n1_0 = 1'd1;
  wire [7:0] conv10_20_n1_0 = in_data[7:0];
  wire order_lanes_n1_0 = order_lanes0_n1_0;
  wire [7:0] order_word_n1_0 = {conv10_20_n1_0};
  wire [5:0] order_at_n1_0 = i4_0_15_r[5:0];
  wire order_wants_n1_0 = n1_v0 & (1'b1);
  wire order_writes_n1_0 = order_wants_n1_0 & n1_adv0;
  wire n1_done = n1_runs & ~(n1_level != 1'd0);
  wire n2_v0 = n2_runs & n2_level == 1'd1;
  wire n2_waits5 = (n2_v5 & ~(~out_full));
  wire n2_adv5 = ~((n2_v5 & ~(~out_full)));
  wire n2_waits0 = (n2_v0 & ~(~in_empty));
  wire n2_adv0 = n2_adv5 & ~((n2_v0 & ~(~in_empty)));
  wire n2_go = n2_runs & ((n2_v0 & n2_adv0) | (n2_level != 1'd1 & n2_level != 1'd0));
  wire out_40_n2 = n2_v5 & n2_adv5;
  wire and32_34_n2_4 = ram_read_32_p4[0];
  wire counts_lanes0_n2_4 = ((and32_34_n2_4) & 1'd1);
  wire [15:0] add_36_n2_4 = stream_read_27_p4 + counts_33_word;
  wire counts_lanes_n2_4 = counts_lanes0_n2_4;
  wire [15:0] counts_word_n2_4 = {add_36_n2_4};
  wire [7:0] counts_at_n2_4 = ram_read_30_p4;
  wire counts_wants_n2_4 = n2_v4 & (and32_34_n2_4);
  wire counts_writes_n2_4 = counts_wants_n2_4 & n2_adv5;
  wire counts_33_n2 = n2_v3 & n2_adv5;
  wire weights_32_n2 = n2_v2 & n2_adv5;
  wire in_27_n2 = n2_v0 & n2_adv0;
  wire order_30_n2 = n2_v0 & n2_adv0;
  wire [5:0] and_28_n2_0 = in_data[5:0];
  wire n2_done = n2_runs & ~(n2_level != 1'd0 | (n2_v1) | (n2_v2) | (n2_v3) | (n2_v4) | (n2_v5 & ~n2_adv5));
  assign in_pop = (done_S3) | in_19_n1 | in_27_n2;
  assign out_push = out_40_n2;
  assign out_data = add42_39_p5;
  assign order_re = order_30_n2;
  assign order_ra = and_28_n2_0;
  assign weights_re = weights_32_n2;
  assign weights_ra = ram_read_30_p2;
  assign counts_re = counts_33_n2;
  assign counts_ra = ram_read_30_p3;
  assign order_we = (order_writes_n1_0 & order_lanes_n1_0);
  assign order_wa = order_at_n1_0;
  assign order_wd = order_word_n1_0;
  assign weights_we = (weights_writes_n0_0 & weights_lanes_n0_0);
  assign weights_wa = weights_at_n0_0;
  assign weights_wd = weights_word_n0_0;
  assign counts_we = (counts_writes_n0_0 & counts_lanes_n0_0) | (counts_writes_n2_4 & counts_lanes_n2_4);
  assign counts_wa = (counts_wants_n0_0) ? counts_at_n0_0 : counts_at_n2_4;
  assign counts_wd = (counts_wants_n0_0) ? counts_word_n0_0 : counts_word_n2_4;
  assign waits_in = (in_S3 & in_empty) | ((n1_v0 & ~(~in_empty))) | ((n2_v0 & ~(~in_empty)) & ~n2_v1 & ~n2_v2 & ~n2_v3 & ~n2_v4 & ~n2_v5);
  assign waits_out = ((n2_v5 & ~(~out_full)));

  always @(posedge clk) begin
    if (n0_enter | n0_go) begin : n0_counters
      reg [8:0] inc_13_n0_l1_step_t;
      reg [8:0] i_0_1_n0_stepped;
      reg cmp_3_n0_l1_stepped_t;
      reg cmp_4_n0_l1_stepped_t;
      reg n0_goes_on1;
      reg [8:0] i_0_1_n0_init;
      reg cmp_3_n0_l1_first_t;
      reg cmp_4_n0_l1_first_t;
      reg [8:0] i_0_1_n0_next;
      reg n0_active1;
      inc_13_n0_l1_step_t = i_0_1_r + 9'd1;
      i_0_1_n0_stepped = (n0_level >= 1'd1) ? inc_13_n0_l1_step_t : i_0_1_r;
      cmp_3_n0_l1_stepped_t = i_0_1_n0_stepped[8];
      cmp_4_n0_l1_stepped_t = ~cmp_3_n0_l1_stepped_t;
      n0_goes_on1 = (n0_level >= 1'd1) & cmp_4_n0_l1_stepped_t;
      i_0_1_n0_init = 9'd0;
      cmp_3_n0_l1_first_t = i_0_1_n0_init[8];
      cmp_4_n0_l1_first_t = ~cmp_3_n0_l1_first_t;
      i_0_1_n0_next = (n0_enter) ? i_0_1_n0_init : i_0_1_n0_stepped;
      n0_active1 = (~n0_enter & (n0_goes_on1)) | (n0_enter & cmp_4_n0_l1_first_t);
      n0_level <= n0_active1 ? 1'd1 : 1'd0;
      i_0_1_r <= i_0_1_n0_next;
    end
    if (n1_enter | n1_go) begin : n1_counters
      reg [6:0] inc14_24_n1_l1_step_t;
      reg [6:0] i4_0_15_n1_stepped;
      reg cmp6_17_n1_l1_stepped_t;
      reg cmp6_18_n1_l1_stepped_t;
      reg n1_goes_on1;
      reg [6:0] i4_0_15_n1_init;
      reg cmp6_17_n1_l1_first_t;
      reg cmp6_18_n1_l1_first_t;
      reg [6:0] i4_0_15_n1_next;
      reg n1_active1;
      inc14_24_n1_l1_step_t = i4_0_15_r + 7'd1;
      i4_0_15_n1_stepped = (n1_level >= 1'd1) ? inc14_24_n1_l1_step_t : i4_0_15_r;
      cmp6_17_n1_l1_stepped_t = i4_0_15_n1_stepped[6];
      cmp6_18_n1_l1_stepped_t = ~cmp6_17_n1_l1_stepped_t;
      n1_goes_on1 = (n1_level >= 1'd1) & cmp6_18_n1_l1_stepped_t;
      i4_0_15_n1_init = 7'd0;
      cmp6_17_n1_l1_first_t = i4_0_15_n1_init[6];
      cmp6_18_n1_l1_first_t = ~cmp6_17_n1_l1_first_t;
      i4_0_15_n1_next = (n1_enter) ? i4_0_15_n1_init : i4_0_15_n1_stepped;
      n1_active1 = (~n1_enter & (n1_goes_on1)) | (n1_enter & cmp6_18_n1_l1_first_t);
      n1_level <= n1_active1 ? 1'd1 : 1'd0;
      i4_0_15_r <= i4_0_15_n1_next;
    end
    if (n2_adv5) begin : n2_stage4
      reg [31:0] conv34_35_n2_4_t;
      reg [31:0] mul40_38_n2_4_t;
      reg [31:0] add42_39_n2_4_t;
      conv34_35_n2_4_t = {16'd0, counts_33_word};
      mul40_38_n2_4_t = {16'd0, stream_read_27_p4} * {16'd0, ram_read_32_p4};
      add42_39_n2_4_t = conv34_35_n2_4_t + mul40_38_n2_4_t;
      add42_39_p5 <= add42_39_n2_4_t;
    end
    n2_v5 <= (n2_v4 & n2_adv5) | (n2_v5 & ~n2_adv5);
    if (n2_adv5) begin : n2_stage3
      stream_read_27_p4 <= stream_read_27_p3;
      ram_read_30_p4 <= ram_read_30_p3;
      ram_read_32_p4 <= weights_rq;
    end
    n2_v4 <= (n2_v3 & n2_adv5) | (n2_v4 & ~n2_adv5);
    if (n2_adv5) begin : n2_stage2
      stream_read_27_p3 <= stream_read_27_p2;
      ram_read_30_p3 <= ram_read_30_p2;
    end
    n2_v3 <= (n2_v2 & n2_adv5) | (n2_v3 & ~n2_adv5);
    if (n2_adv5) begin : n2_stage1
      stream_read_27_p2 <= stream_read_27_p1;
      ram_read_30_p2 <= order_rq;
    end
    n2_v2 <= (n2_v1 & n2_adv5) | (n2_v2 & ~n2_adv5);
    if (n2_adv0) begin : n2_stage0
      stream_read_27_p1 <= in_data;
    end
    n2_v1 <= (n2_v0 & n2_adv0) | (n2_v1 & ~n2_adv5);
    if (n2_enter | n2_go) begin : n2_counters
      reg [15:0] inc44_42_n2_l1_step_t;
      reg [15:0] i16_0_25_n2_stepped;
      reg n2_goes_on1;
      reg [15:0] i16_0_25_n2_init;
      reg cmp20_26_n2_l1_first_t;
      reg [15:0] i16_0_25_n2_next;
      reg [15:0] i16_0_25_n2_after_next;
      reg cmp20_26_n2_l1_ahead_after_next_t;
      reg [15:0] i16_0_25_n2_after_first;
      reg cmp20_26_n2_l1_ahead_after_first_t;
      reg n2_goes_on1_ahead_next;
      reg n2_active1;
      inc44_42_n2_l1_step_t = i16_0_25_r + 16'd1;
      i16_0_25_n2_stepped = (n2_level >= 1'd1) ? inc44_42_n2_l1_step_t : i16_0_25_r;
      n2_goes_on1 = (n2_level >= 1'd1) & n2_goes_on1_ahead;
      i16_0_25_n2_init = 16'd0;
      cmp20_26_n2_l1_first_t = i16_0_25_n2_init < stream_read_14_c;
      i16_0_25_n2_next = (n2_enter) ? i16_0_25_n2_init : i16_0_25_n2_stepped;
      i16_0_25_n2_after_next = i16_0_25_r + 16'd2;
      cmp20_26_n2_l1_ahead_after_next_t = i16_0_25_n2_after_next < stream_read_14_c;
      i16_0_25_n2_after_first = i16_0_25_n2_init + 16'd1;
      cmp20_26_n2_l1_ahead_after_first_t = i16_0_25_n2_after_first < stream_read_14_c;
      n2_goes_on1_ahead_next = (n2_enter) ? cmp20_26_n2_l1_ahead_after_first_t : cmp20_26_n2_l1_ahead_after_next_t;
      n2_active1 = (~n2_enter & (n2_goes_on1)) | (n2_enter & cmp20_26_n2_l1_first_t);
      n2_level <= n2_active1 ? 1'd1 : 1'd0;
      n2_goes_on1_ahead <= n2_goes_on1_ahead_next;
      i16_0_25_r <= i16_0_25_n2_next;
    end
    if (counts_33_n2) counts_33_met <= counts_we & (counts_wa == counts_ra);
    if (counts_33_n2) counts_33_new <= counts_wd;
    if (n2_done) begin : after_n2
      hls_state <= S3;
    end
    if (n1_done) begin : after_n1
      hls_state <= S4;
    end
    if (n0_done) begin : after_n0
      hls_state <= S1;
    end
    if (done_S4) begin : at_S4  // run
      hls_state <= S6;
    end
    if (done_S3) begin : at_S3  // tests/hls/kernels/table_product.cc:22
      stream_read_14_c <= in_data;
      hls_state <= S5;
    end
    if (done_S1) begin : at_S1  // run
      hls_state <= S3;
    end
    if (done_S0) begin : at_S0  // run
      hls_state <= S2;
    end
    if (rst) begin
      hls_state <= S0;
      n0_level <= 1'd0;
      n1_level <= 1'd0;
      n2_v1 <= 1'b0;
      n2_v2 <= 1'b0;
      n2_v3 <= 1'b0;
      n2_v4 <= 1'b0;
      n2_v5 <= 1'b0;
      n2_level <= 1'd0;
    end
  end
endmodule
`else
// process run of tests/hls/kernels/table_product.cc:15
module TableProduct_run (
  input wire clk,
  input wire rst,
  input wire [15:0] in_data,
  input wire in_empty,
  output wire in_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output wire order_re,
  output wire [5:0] order_ra,
  input wire [7:0] order_rq,
  output wire order_we,
  output wire [5:0] order_wa,
  output wire [7:0] order_wd,
  output wire weights_re,
  output wire [7:0] weights_ra,
  input wire [15:0] weights_rq,
  output wire weights_we,
  output wire [7:0] weights_wa,
  output wire [15:0] weights_wd,
  output wire counts_re,
  output wire [7:0] counts_ra,
  input wire [15:0] counts_rq,
  output wire counts_we,
  output wire [7:0] counts_wa,
  output wire [15:0] counts_wd,
  output wire waits_in,
  output wire waits_out
);
  localparam [2:0] S0 = 3'd0;
  localparam [2:0] S1 = 3'd1;
  localparam [2:0] S2 = 3'd2;
  localparam [2:0] S3 = 3'd3;
  localparam [2:0] S4 = 3'd4;
  localparam [2:0] S5 = 3'd5;
  localparam [2:0] S6 = 3'd6;
  reg [2:0] hls_state;
  reg [15:0] stream_read_14_c;
  reg [8:0] i_0_1_r;
  reg [6:0] i4_0_15_r;
  reg [15:0] i16_0_25_r;
  reg n0_level;
  reg weights_lanes0_n0_0;
  reg [9:0] mul_8_n0_0;
  reg [15:0] mul_10_n0_0;
  reg weights_lanes_n0_0;
  reg [15:0] weights_word_n0_0;
  reg [7:0] weights_at_n0_0;
  reg counts_lanes0_n0_0;
  reg counts_lanes_n0_0;
  reg [15:0] counts_word_n0_0;
  reg [7:0] counts_at_n0_0;
  reg n1_level;
  reg order_lanes0_n1_0;
  reg [7:0] conv10_20_n1_0;
  reg order_lanes_n1_0;
  reg [7:0] order_word_n1_0;
  reg [5:0] order_at_n1_0;
  reg n2_goes_on1_ahead;
  reg n2_level;
  reg n2_v1;
  reg n2_v2;
  reg n2_v3;
  reg n2_v4;
  reg n2_v5;
  reg and32_34_n2_4;
  reg counts_lanes0_n2_4;
  reg [15:0] add_36_n2_4;
  reg counts_lanes_n2_4;
  reg [15:0] counts_word_n2_4;
  reg [7:0] counts_at_n2_4;
  reg [5:0] and_28_n2_0;
  reg [31:0] add42_39_p5;
  reg [15:0] stream_read_27_p4;
  reg [7:0] ram_read_30_p4;
  reg [15:0] ram_read_32_p4;
  reg [15:0] stream_read_27_p3;
  reg [7:0] ram_read_30_p3;
  reg [15:0] stream_read_27_p2;
  reg [7:0] ram_read_30_p2;
  reg [15:0] stream_read_27_p1;
  reg counts_33_met;
  reg [15:0] counts_33_new;
  wire [15:0] counts_33_word = {counts_33_met ? counts_33_new : counts_rq};
  wire in_S0 = hls_state == S0;
  wire done_S0 = in_S0;
  wire n0_enter = done_S0;
  wire n0_runs = hls_state == S2;
  wire in_S1 = hls_state == S1;
  wire done_S1 = in_S1;
  wire in_S3 = hls_state == S3;
  wire done_S3 = in_S3 & ~in_empty;
  wire n1_enter = done_S3;
  wire n1_runs = hls_state == S5;
  wire in_S4 = hls_state == S4;
  wire done_S4 = in_S4;
  wire n2_enter = done_S4;
  wire n2_runs = hls_state == S6;
  wire n0_v0 = n0_runs & n0_level == 1'd1;
  wire n0_go = n0_runs & ((n0_v0) | (n0_level != 1'd1 & n0_level != 1'd0));
  wire weights_wants_n0_0 = n0_v0 & (1'b1);
  wire weights_writes_n0_0 = weights_wants_n0_0;
  wire counts_wants_n0_0 = n0_v0 & (1'b1);
  wire counts_writes_n0_0 = counts_wants_n0_0;
  wire n0_done = n0_runs & ~(n0_level != 1'd0);
  wire n1_v0 = n1_runs & n1_level == 1'd1;
  wire n1_waits0 = (n1_v0 & ~(~in_empty));
  wire n1_adv0 = ~((n1_v0 & ~(~in_empty)));
  wire n1_go = n1_runs & ((n1_v0 & n1_adv0) | (n1_level != 1'd1 & n1_level != 1'd0));
  wire in_19_n1 = n1_v0 & n1_adv0;
  wire order_wants_n1_0 = n1_v0 & (1'b1);
  wire order_writes_n1_0 = order_wants_n1_0 & n1_adv0;
  wire n1_done = n1_runs & ~(n1_level != 1'd0);
  wire n2_v0 = n2_runs & n2_level == 1'd1;
  wire n2_waits5 = (n2_v5 & ~(~out_full));
  wire n2_adv5 = ~((n2_v5 & ~(~out_full)));
  wire n2_waits0 = (n2_v0 & ~(~in_empty));
  wire n2_adv0 = n2_adv5 & ~((n2_v0 & ~(~in_empty)));
  wire n2_go = n2_runs & ((n2_v0 & n2_adv0) | (n2_level != 1'd1 & n2_level != 1'd0));
  wire out_40_n2 = n2_v5 & n2_adv5;
  wire counts_wants_n2_4 = n2_v4 & (and32_34_n2_4);
  wire counts_writes_n2_4 = counts_wants_n2_4 & n2_adv5;
  wire counts_33_n2 = n2_v3 & n2_adv5;
  wire weights_32_n2 = n2_v2 & n2_adv5;
  wire in_27_n2 = n2_v0 & n2_adv0;
  wire order_30_n2 = n2_v0 & n2_adv0;
  wire n2_done = n2_runs & ~(n2_level != 1'd0 | (n2_v1) | (n2_v2) | (n2_v3) | (n2_v4) | (n2_v5 & ~n2_adv5));
  always @* begin
    if (n0_v0) begin
      weights_lanes0_n0_0 = 1'd1;
      mul_8_n0_0 = {1'd0, i_0_1_r};
      mul_10_n0_0 = $signed(mul_8_n0_0) * $signed(10'h103);
      weights_lanes_n0_0 = weights_lanes0_n0_0;
      weights_word_n0_0 = {mul_10_n0_0};
      weights_at_n0_0 = i_0_1_r[7:0];
      counts_lanes0_n0_0 = 1'd1;
      counts_lanes_n0_0 = counts_lanes0_n0_0;
      counts_word_n0_0 = {16'd0};
      counts_at_n0_0 = i_0_1_r[7:0];
    end
  end
  always @* begin
    if (n1_v0) begin
      order_lanes0_n1_0 = 1'd1;
      conv10_20_n1_0 = in_data[7:0];
      order_lanes_n1_0 = order_lanes0_n1_0;
      order_word_n1_0 = {conv10_20_n1_0};
      order_at_n1_0 = i4_0_15_r[5:0];
    end
  end
  always @* begin
    if (n2_v0) begin
      and_28_n2_0 = in_data[5:0];
    end
  end
  always @* begin
    if (n2_v4) begin
      and32_34_n2_4 = ram_read_32_p4[0];
      counts_lanes0_n2_4 = ((and32_34_n2_4) & 1'd1);
      add_36_n2_4 = stream_read_27_p4 + counts_33_word;
      counts_lanes_n2_4 = counts_lanes0_n2_4;
      counts_word_n2_4 = {add_36_n2_4};
      counts_at_n2_4 = ram_read_30_p4;
    end
  end
  assign in_pop = (done_S3) | in_19_n1 | in_27_n2;
  assign out_push = out_40_n2;
  assign out_data = add42_39_p5;
  assign order_re = order_30_n2;
  assign order_ra = and_28_n2_0;
  assign weights_re = weights_32_n2;
  assign weights_ra = ram_read_30_p2;
  assign counts_re = counts_33_n2;
  assign counts_ra = ram_read_30_p3;
  assign order_we = (order_writes_n1_0 & order_lanes_n1_0);
  assign order_wa = order_at_n1_0;
  assign order_wd = order_word_n1_0;
  assign weights_we = (weights_writes_n0_0 & weights_lanes_n0_0);
  assign weights_wa = weights_at_n0_0;
  assign weights_wd = weights_word_n0_0;
  assign counts_we = (counts_writes_n0_0 & counts_lanes_n0_0) | (counts_writes_n2_4 & counts_lanes_n2_4);
  assign counts_wa = (counts_wants_n0_0) ? counts_at_n0_0 : counts_at_n2_4;
  assign counts_wd = (counts_wants_n0_0) ? counts_word_n0_0 : counts_word_n2_4;
  assign waits_in = (in_S3 & in_empty) | ((n1_v0 & ~(~in_empty))) | ((n2_v0 & ~(~in_empty)) & ~n2_v1 & ~n2_v2 & ~n2_v3 & ~n2_v4 & ~n2_v5);
  assign waits_out = ((n2_v5 & ~(~out_full)));

  always @(posedge clk) begin
    if (n0_enter | n0_go) begin : n0_counters
      reg [8:0] inc_13_n0_l1_step_t;
      reg [8:0] i_0_1_n0_stepped;
      reg cmp_3_n0_l1_stepped_t;
      reg cmp_4_n0_l1_stepped_t;
      reg n0_goes_on1;
      reg [8:0] i_0_1_n0_init;
      reg cmp_3_n0_l1_first_t;
      reg cmp_4_n0_l1_first_t;
      reg [8:0] i_0_1_n0_next;
      reg n0_active1;
      inc_13_n0_l1_step_t = i_0_1_r + 9'd1;
      i_0_1_n0_stepped = (n0_level >= 1'd1) ? inc_13_n0_l1_step_t : i_0_1_r;
      cmp_3_n0_l1_stepped_t = i_0_1_n0_stepped[8];
      cmp_4_n0_l1_stepped_t = ~cmp_3_n0_l1_stepped_t;
      n0_goes_on1 = (n0_level >= 1'd1) & cmp_4_n0_l1_stepped_t;
      i_0_1_n0_init = 9'd0;
      cmp_3_n0_l1_first_t = i_0_1_n0_init[8];
      cmp_4_n0_l1_first_t = ~cmp_3_n0_l1_first_t;
      i_0_1_n0_next = (n0_enter) ? i_0_1_n0_init : i_0_1_n0_stepped;
      n0_active1 = (~n0_enter & (n0_goes_on1)) | (n0_enter & cmp_4_n0_l1_first_t);
      n0_level <= n0_active1 ? 1'd1 : 1'd0;
      i_0_1_r <= i_0_1_n0_next;
    end
    if (n1_enter | n1_go) begin : n1_counters
      reg [6:0] inc14_24_n1_l1_step_t;
      reg [6:0] i4_0_15_n1_stepped;
      reg cmp6_17_n1_l1_stepped_t;
      reg cmp6_18_n1_l1_stepped_t;
      reg n1_goes_on1;
      reg [6:0] i4_0_15_n1_init;
      reg cmp6_17_n1_l1_first_t;
      reg cmp6_18_n1_l1_first_t;
      reg [6:0] i4_0_15_n1_next;
      reg n1_active1;
      inc14_24_n1_l1_step_t = i4_0_15_r + 7'd1;
      i4_0_15_n1_stepped = (n1_level >= 1'd1) ? inc14_24_n1_l1_step_t : i4_0_15_r;
      cmp6_17_n1_l1_stepped_t = i4_0_15_n1_stepped[6];
      cmp6_18_n1_l1_stepped_t = ~cmp6_17_n1_l1_stepped_t;
      n1_goes_on1 = (n1_level >= 1'd1) & cmp6_18_n1_l1_stepped_t;
      i4_0_15_n1_init = 7'd0;
      cmp6_17_n1_l1_first_t = i4_0_15_n1_init[6];
      cmp6_18_n1_l1_first_t = ~cmp6_17_n1_l1_first_t;
      i4_0_15_n1_next = (n1_enter) ? i4_0_15_n1_init : i4_0_15_n1_stepped;
      n1_active1 = (~n1_enter & (n1_goes_on1)) | (n1_enter & cmp6_18_n1_l1_first_t);
      n1_level <= n1_active1 ? 1'd1 : 1'd0;
      i4_0_15_r <= i4_0_15_n1_next;
    end
    if (n2_v4 & n2_adv5) begin : n2_stage4
      reg [31:0] conv34_35_n2_4_t;
      reg [31:0] mul40_38_n2_4_t;
      reg [31:0] add42_39_n2_4_t;
      conv34_35_n2_4_t = {16'd0, counts_33_word};
      mul40_38_n2_4_t = {16'd0, stream_read_27_p4} * {16'd0, ram_read_32_p4};
      add42_39_n2_4_t = conv34_35_n2_4_t + mul40_38_n2_4_t;
      add42_39_p5 <= add42_39_n2_4_t;
    end
    n2_v5 <= (n2_v4 & n2_adv5) | (n2_v5 & ~n2_adv5);
    if (n2_v3 & n2_adv5) begin : n2_stage3
      stream_read_27_p4 <= stream_read_27_p3;
      ram_read_30_p4 <= ram_read_30_p3;
      ram_read_32_p4 <= weights_rq;
    end
    n2_v4 <= (n2_v3 & n2_adv5) | (n2_v4 & ~n2_adv5);
    if (n2_v2 & n2_adv5) begin : n2_stage2
      stream_read_27_p3 <= stream_read_27_p2;
      ram_read_30_p3 <= ram_read_30_p2;
    end
    n2_v3 <= (n2_v2 & n2_adv5) | (n2_v3 & ~n2_adv5);
    if (n2_v1 & n2_adv5) begin : n2_stage1
      stream_read_27_p2 <= stream_read_27_p1;
      ram_read_30_p2 <= order_rq;
    end
    n2_v2 <= (n2_v1 & n2_adv5) | (n2_v2 & ~n2_adv5);
    if (n2_v0 & n2_adv0) begin : n2_stage0
      stream_read_27_p1 <= in_data;
    end
    n2_v1 <= (n2_v0 & n2_adv0) | (n2_v1 & ~n2_adv5);
    if (n2_enter | n2_go) begin : n2_counters
      reg [15:0] inc44_42_n2_l1_step_t;
      reg [15:0] i16_0_25_n2_stepped;
      reg n2_goes_on1;
      reg [15:0] i16_0_25_n2_init;
      reg cmp20_26_n2_l1_first_t;
      reg [15:0] i16_0_25_n2_next;
      reg [15:0] i16_0_25_n2_after_next;
      reg cmp20_26_n2_l1_ahead_after_next_t;
      reg [15:0] i16_0_25_n2_after_first;
      reg cmp20_26_n2_l1_ahead_after_first_t;
      reg n2_goes_on1_ahead_next;
      reg n2_active1;
      inc44_42_n2_l1_step_t = i16_0_25_r + 16'd1;
      i16_0_25_n2_stepped = (n2_level >= 1'd1) ? inc44_42_n2_l1_step_t : i16_0_25_r;
      n2_goes_on1 = (n2_level >= 1'd1) & n2_goes_on1_ahead;
      i16_0_25_n2_init = 16'd0;
      cmp20_26_n2_l1_first_t = i16_0_25_n2_init < stream_read_14_c;
      i16_0_25_n2_next = (n2_enter) ? i16_0_25_n2_init : i16_0_25_n2_stepped;
      i16_0_25_n2_after_next = i16_0_25_r + 16'd2;
      cmp20_26_n2_l1_ahead_after_next_t = i16_0_25_n2_after_next < stream_read_14_c;
      i16_0_25_n2_after_first = i16_0_25_n2_init + 16'd1;
      cmp20_26_n2_l1_ahead_after_first_t = i16_0_25_n2_after_first < stream_read_14_c;
      n2_goes_on1_ahead_next = (n2_enter) ? cmp20_26_n2_l1_ahead_after_first_t : cmp20_26_n2_l1_ahead_after_next_t;
      n2_active1 = (~n2_enter & (n2_goes_on1)) | (n2_enter & cmp20_26_n2_l1_first_t);
      n2_level <= n2_active1 ? 1'd1 : 1'd0;
      n2_goes_on1_ahead <= n2_goes_on1_ahead_next;
      i16_0_25_r <= i16_0_25_n2_next;
    end
    if (counts_33_n2) counts_33_met <= counts_we & (counts_wa == counts_ra);
    if (counts_33_n2 & (|counts_we)) counts_33_new <= counts_wd;
    if (n2_done) begin : after_n2
      hls_state <= S3;
    end
    if (n1_done) begin : after_n1
      hls_state <= S4;
    end
    if (n0_done) begin : after_n0
      hls_state <= S1;
    end
    if (done_S4) begin : at_S4  // run
      hls_state <= S6;
    end
    if (done_S3) begin : at_S3  // tests/hls/kernels/table_product.cc:22
      stream_read_14_c <= in_data;
      hls_state <= S5;
    end
    if (done_S1) begin : at_S1  // run
      hls_state <= S3;
    end
    if (done_S0) begin : at_S0  // run
      hls_state <= S2;
    end
    if (rst) begin
      hls_state <= S0;
      n0_level <= 1'd0;
      n1_level <= 1'd0;
      n2_v1 <= 1'b0;
      n2_v2 <= 1'b0;
      n2_v3 <= 1'b0;
      n2_v4 <= 1'b0;
      n2_v5 <= 1'b0;
      n2_level <= 1'd0;
    end
  end
endmodule
`endif

module TableProduct (
  input wire clk,
  input wire rst,
  input wire [15:0] in_data,
  input wire in_empty,
  output wire in_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output wire run_waits_in,
  output wire run_waits_out
);
  wire run_order_re;
  wire [5:0] run_order_ra;
  wire [7:0] run_order_rq;
  wire run_order_we;
  wire [5:0] run_order_wa;
  wire [7:0] run_order_wd;
  wire [7:0] order_word;
  wire run_weights_re;
  wire [7:0] run_weights_ra;
  wire [15:0] run_weights_rq;
  wire run_weights_we;
  wire [7:0] run_weights_wa;
  wire [15:0] run_weights_wd;
  wire [15:0] weights_word;
  wire run_counts_re;
  wire [7:0] run_counts_ra;
  wire [15:0] run_counts_rq;
  wire run_counts_we;
  wire [7:0] run_counts_wa;
  wire [15:0] run_counts_wd;
  wire [15:0] counts_word;
  hls_ram #(.WIDTH(8), .DEPTH(64), .LANE(8), .STYLE("distributed")) order_ram (.clk(clk), .re((run_order_re)), .ra(run_order_ra), .rq(order_word), .we(run_order_we), .wa(run_order_wa), .wd(run_order_wd));
  assign run_order_rq = order_word;
  hls_ram #(.WIDTH(16), .DEPTH(256), .LANE(16)) weights_ram (.clk(clk), .re((run_weights_re)), .ra(run_weights_ra), .rq(weights_word), .we(run_weights_we), .wa(run_weights_wa), .wd(run_weights_wd));
  assign run_weights_rq = weights_word;
  hls_ram #(.WIDTH(16), .DEPTH(256), .LANE(16)) counts_ram (.clk(clk), .re((run_counts_re)), .ra(run_counts_ra), .rq(counts_word), .we(run_counts_we), .wa(run_counts_wa), .wd(run_counts_wd));
  assign run_counts_rq = counts_word;
  TableProduct_run i_run (.clk(clk), .rst(rst), .in_data(in_data), .in_empty(in_empty), .in_pop(in_pop), .out_data(out_data), .out_full(out_full), .out_push(out_push), .order_re(run_order_re), .order_ra(run_order_ra), .order_rq(run_order_rq), .order_we(run_order_we), .order_wa(run_order_wa), .order_wd(run_order_wd), .weights_re(run_weights_re), .weights_ra(run_weights_ra), .weights_rq(run_weights_rq), .weights_we(run_weights_we), .weights_wa(run_weights_wa), .weights_wd(run_weights_wd), .counts_re(run_counts_re), .counts_ra(run_counts_ra), .counts_rq(run_counts_rq), .counts_we(run_counts_we), .counts_wa(run_counts_wa), .counts_wd(run_counts_wd), .waits_in(run_waits_in), .waits_out(run_waits_out));
endmodule
