// Histogram: written by vta-hlsc

`ifndef HLS_SIMULATION
// process run of tests/hls/kernels/histogram.cc:13
module Histogram_run (
  input wire clk,
  input wire rst,
  input wire [15:0] length_data,
  input wire length_empty,
  output wire length_pop,
  input wire [7:0] in_data,
  input wire in_empty,
  output wire in_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output wire count_re,
  output wire [3:0] count_ra,
  input wire [31:0] count_rq,
  output wire count_we,
  output wire [3:0] count_wa,
  output wire [31:0] count_wd,
  output wire waits_length,
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
  reg [15:0] stream_read_1_c;
  reg [4:0] i_0_2_r;
  reg [15:0] i2_0_11_r;
  reg [4:0] i16_0_23_r;
  reg n0_level;
  reg n1_goes_on1_ahead;
  reg n1_level;
  reg n1_v1;
  reg [3:0] and_15_p1;
  reg count_17_met;
  reg [31:0] count_17_new;
  wire [31:0] count_17_word = {count_17_met ? count_17_new : count_rq};
  reg n2_level;
  reg n2_v1;
  wire in_S0 = hls_state == S0;
  wire done_S0 = in_S0;
  wire in_S1 = hls_state == S1;
  wire done_S1 = in_S1 & ~length_empty;
  wire n0_enter = done_S1;
  wire n0_runs = hls_state == S3;
  wire in_S2 = hls_state == S2;
  wire done_S2 = in_S2;
  wire n1_enter = done_S2;
  wire n1_runs = hls_state == S5;
  wire in_S4 = hls_state == S4;
  wire done_S4 = in_S4;
  wire n2_enter = done_S4;
  wire n2_runs = hls_state == S6;
  wire n0_v0 = n0_runs & n0_level == 1'd1;
  wire n0_go = n0_runs & ((n0_v0) | (n0_level != 1'd1 & n0_level != 1'd0));
  wire count_lanes0_n0_0 = 1'd1;
  wire count_lanes_n0_0 = count_lanes0_n0_0;
  wire [31:0] count_word_n0_0 = {32'd0};
  wire [3:0] count_at_n0_0 = i_0_2_r[3:0];
  wire count_wants_n0_0 = n0_v0 & (1'b1);
  wire count_writes_n0_0 = count_wants_n0_0;
  wire n0_done = n0_runs & ~(n0_level != 1'd0);
  wire n1_v0 = n1_runs & n1_level == 1'd1;
  wire n1_waits0 = (n1_v0 & ~(~in_empty));
  wire n1_adv0 = ~((n1_v0 & ~(~in_empty)));
  wire n1_go = n1_runs & ((n1_v0 & n1_adv0) | (n1_level != 1'd1 & n1_level != 1'd0));
  wire count_lanes0_n1_1 = 1'd1;
  wire [31:0] inc12_19_n1_1 = count_17_word + 32'd1;
  wire count_lanes_n1_1 = count_lanes0_n1_1;
  wire [31:0] count_word_n1_1 = {inc12_19_n1_1};
  wire [3:0] count_at_n1_1 = and_15_p1;
  wire count_wants_n1_1 = n1_v1 & (1'b1);
  wire count_writes_n1_1 = count_wants_n1_1;
  wire in_14_n1 = n1_v0 & n1_adv0;
  wire count_17_n1 = n1_v0 & n1_adv0;
  wire [3:0] and_15_n1_0 = in_data[3:0];
  wire n1_done = n1_runs & ~(n1_level != 1'd0);
  wire n2_v0 = n2_runs & n2_level == 1'd1;
  wire n2_waits1 = (n2_v1 & ~(~out_full));
  wire n2_adv1 = ~((n2_v1 & ~(~out_full)));
  wire n2_go = n2_runs & ((n2_v0 & n2_adv1) | (n2_level != 1'd1 & n2_level != 1'd0));
  wire out_28_n2 = n2_v1 & n2_adv1;
  wire count_27_n2 = n2_v0 & n2_adv1;
  wire n2_done = n2_runs & ~(n2_level != 1'd0 | (n2_v1 & ~n2_adv1));
  assign in_pop = in_14_n1;
  assign length_pop = (done_S1);
  assign out_push = out_28_n2;
  assign out_data = count_rq;
  assign count_re = count_17_n1 | count_27_n2;
  assign count_ra = ((n1_v0) & ~n1_waits0) ? and_15_n1_0 : i16_0_23_r[3:0];
  assign count_we = (count_writes_n0_0 & count_lanes_n0_0) | (count_writes_n1_1 & count_lanes_n1_1);
  assign count_wa = (count_wants_n0_0) ? count_at_n0_0 : count_at_n1_1;
  assign count_wd = (count_wants_n0_0) ? count_word_n0_0 : count_word_n1_1;
  assign waits_length = (in_S1 & length_empty);
  assign waits_in = ((n1_v0 & ~(~in_empty)) & ~n1_v1);
  assign waits_out = ((n2_v1 & ~(~out_full)));

  always @(posedge clk) begin
    if (n0_enter | n0_go) begin : n0_counters
      reg [4:0] inc_10_n0_l1_step_t;
      reg [4:0] i_0_2_n0_stepped;
      reg cmp_4_n0_l1_stepped_t;
      reg cmp_5_n0_l1_stepped_t;
      reg n0_goes_on1;
      reg [4:0] i_0_2_n0_init;
      reg cmp_4_n0_l1_first_t;
      reg cmp_5_n0_l1_first_t;
      reg [4:0] i_0_2_n0_next;
      reg n0_active1;
      inc_10_n0_l1_step_t = i_0_2_r + 5'd1;
      i_0_2_n0_stepped = (n0_level >= 1'd1) ? inc_10_n0_l1_step_t : i_0_2_r;
      cmp_4_n0_l1_stepped_t = i_0_2_n0_stepped[4];
      cmp_5_n0_l1_stepped_t = ~cmp_4_n0_l1_stepped_t;
      n0_goes_on1 = (n0_level >= 1'd1) & cmp_5_n0_l1_stepped_t;
      i_0_2_n0_init = 5'd0;
      cmp_4_n0_l1_first_t = i_0_2_n0_init[4];
      cmp_5_n0_l1_first_t = ~cmp_4_n0_l1_first_t;
      i_0_2_n0_next = (n0_enter) ? i_0_2_n0_init : i_0_2_n0_stepped;
      n0_active1 = (~n0_enter & (n0_goes_on1)) | (n0_enter & cmp_5_n0_l1_first_t);
      n0_level <= n0_active1 ? 1'd1 : 1'd0;
      i_0_2_r <= i_0_2_n0_next;
    end
    if (n1_adv0) begin : n1_stage0
      and_15_p1 <= and_15_n1_0;
    end
    n1_v1 <= n1_v0 & n1_adv0;
    if (n1_enter | n1_go) begin : n1_counters
      reg [15:0] inc14_22_n1_l1_step_t;
      reg [15:0] i2_0_11_n1_stepped;
      reg n1_goes_on1;
      reg [15:0] i2_0_11_n1_init;
      reg cmp5_13_n1_l1_first_t;
      reg [15:0] i2_0_11_n1_next;
      reg [15:0] i2_0_11_n1_after_next;
      reg cmp5_13_n1_l1_ahead_after_next_t;
      reg [15:0] i2_0_11_n1_after_first;
      reg cmp5_13_n1_l1_ahead_after_first_t;
      reg n1_goes_on1_ahead_next;
      reg n1_active1;
      inc14_22_n1_l1_step_t = i2_0_11_r + 16'd1;
      i2_0_11_n1_stepped = (n1_level >= 1'd1) ? inc14_22_n1_l1_step_t : i2_0_11_r;
      n1_goes_on1 = (n1_level >= 1'd1) & n1_goes_on1_ahead;
      i2_0_11_n1_init = 16'd0;
      cmp5_13_n1_l1_first_t = i2_0_11_n1_init < stream_read_1_c;
      i2_0_11_n1_next = (n1_enter) ? i2_0_11_n1_init : i2_0_11_n1_stepped;
      i2_0_11_n1_after_next = i2_0_11_r + 16'd2;
      cmp5_13_n1_l1_ahead_after_next_t = i2_0_11_n1_after_next < stream_read_1_c;
      i2_0_11_n1_after_first = i2_0_11_n1_init + 16'd1;
      cmp5_13_n1_l1_ahead_after_first_t = i2_0_11_n1_after_first < stream_read_1_c;
      n1_goes_on1_ahead_next = (n1_enter) ? cmp5_13_n1_l1_ahead_after_first_t : cmp5_13_n1_l1_ahead_after_next_t;
      n1_active1 = (~n1_enter & (n1_goes_on1)) | (n1_enter & cmp5_13_n1_l1_first_t);
      n1_level <= n1_active1 ? 1'd1 : 1'd0;
      n1_goes_on1_ahead <= n1_goes_on1_ahead_next;
      i2_0_11_r <= i2_0_11_n1_next;
    end
    if (count_17_n1) count_17_met <= count_we & (count_wa == count_ra);
    if (count_17_n1) count_17_new <= count_wd;
    n2_v1 <= (n2_v0 & n2_adv1) | (n2_v1 & ~n2_adv1);
    if (n2_enter | n2_go) begin : n2_counters
      reg [4:0] inc24_29_n2_l1_step_t;
      reg [4:0] i16_0_23_n2_stepped;
      reg cmp18_24_n2_l1_stepped_t;
      reg cmp18_25_n2_l1_stepped_t;
      reg n2_goes_on1;
      reg [4:0] i16_0_23_n2_init;
      reg cmp18_24_n2_l1_first_t;
      reg cmp18_25_n2_l1_first_t;
      reg [4:0] i16_0_23_n2_next;
      reg n2_active1;
      inc24_29_n2_l1_step_t = i16_0_23_r + 5'd1;
      i16_0_23_n2_stepped = (n2_level >= 1'd1) ? inc24_29_n2_l1_step_t : i16_0_23_r;
      cmp18_24_n2_l1_stepped_t = i16_0_23_n2_stepped[4];
      cmp18_25_n2_l1_stepped_t = ~cmp18_24_n2_l1_stepped_t;
      n2_goes_on1 = (n2_level >= 1'd1) & cmp18_25_n2_l1_stepped_t;
      i16_0_23_n2_init = 5'd0;
      cmp18_24_n2_l1_first_t = i16_0_23_n2_init[4];
      cmp18_25_n2_l1_first_t = ~cmp18_24_n2_l1_first_t;
      i16_0_23_n2_next = (n2_enter) ? i16_0_23_n2_init : i16_0_23_n2_stepped;
      n2_active1 = (~n2_enter & (n2_goes_on1)) | (n2_enter & cmp18_25_n2_l1_first_t);
      n2_level <= n2_active1 ? 1'd1 : 1'd0;
      i16_0_23_r <= i16_0_23_n2_next;
    end
    if (n2_done) begin : after_n2
      hls_state <= S1;
    end
    if (n1_done) begin : after_n1
      hls_state <= S4;
    end
    if (n0_done) begin : after_n0
      hls_state <= S2;
    end
    if (done_S4) begin : at_S4  // run
      hls_state <= S6;
    end
    if (done_S2) begin : at_S2  // run
      hls_state <= S5;
    end
    if (done_S1) begin : at_S1  // tests/hls/kernels/histogram.cc:15
      stream_read_1_c <= length_data;
      hls_state <= S3;
    end
    if (done_S0) begin : at_S0  // run
      hls_state <= S1;
    end
    if (rst) begin
      hls_state <= S0;
      n0_level <= 1'd0;
      n1_v1 <= 1'b0;
      n1_level <= 1'd0;
      n2_v1 <= 1'b0;
      n2_level <= 1'd0;
    end
  end
endmodule
`else
// process run of tests/hls/kernels/histogram.cc:13
module Histogram_run (
  input wire clk,
  input wire rst,
  input wire [15:0] length_data,
  input wire length_empty,
  output wire length_pop,
  input wire [7:0] in_data,
  input wire in_empty,
  output wire in_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output wire count_re,
  output wire [3:0] count_ra,
  input wire [31:0] count_rq,
  output wire count_we,
  output wire [3:0] count_wa,
  output wire [31:0] count_wd,
  output wire waits_length,
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
  reg [15:0] stream_read_1_c;
  reg [4:0] i_0_2_r;
  reg [15:0] i2_0_11_r;
  reg [4:0] i16_0_23_r;
  reg n0_level;
  reg count_lanes0_n0_0;
  reg count_lanes_n0_0;
  reg [31:0] count_word_n0_0;
  reg [3:0] count_at_n0_0;
  reg n1_goes_on1_ahead;
  reg n1_level;
  reg n1_v1;
  reg count_lanes0_n1_1;
  reg [31:0] inc12_19_n1_1;
  reg count_lanes_n1_1;
  reg [31:0] count_word_n1_1;
  reg [3:0] count_at_n1_1;
  reg [3:0] and_15_n1_0;
  reg [3:0] and_15_p1;
  reg count_17_met;
  reg [31:0] count_17_new;
  wire [31:0] count_17_word = {count_17_met ? count_17_new : count_rq};
  reg n2_level;
  reg n2_v1;
  wire in_S0 = hls_state == S0;
  wire done_S0 = in_S0;
  wire in_S1 = hls_state == S1;
  wire done_S1 = in_S1 & ~length_empty;
  wire n0_enter = done_S1;
  wire n0_runs = hls_state == S3;
  wire in_S2 = hls_state == S2;
  wire done_S2 = in_S2;
  wire n1_enter = done_S2;
  wire n1_runs = hls_state == S5;
  wire in_S4 = hls_state == S4;
  wire done_S4 = in_S4;
  wire n2_enter = done_S4;
  wire n2_runs = hls_state == S6;
  wire n0_v0 = n0_runs & n0_level == 1'd1;
  wire n0_go = n0_runs & ((n0_v0) | (n0_level != 1'd1 & n0_level != 1'd0));
  wire count_wants_n0_0 = n0_v0 & (1'b1);
  wire count_writes_n0_0 = count_wants_n0_0;
  wire n0_done = n0_runs & ~(n0_level != 1'd0);
  wire n1_v0 = n1_runs & n1_level == 1'd1;
  wire n1_waits0 = (n1_v0 & ~(~in_empty));
  wire n1_adv0 = ~((n1_v0 & ~(~in_empty)));
  wire n1_go = n1_runs & ((n1_v0 & n1_adv0) | (n1_level != 1'd1 & n1_level != 1'd0));
  wire count_wants_n1_1 = n1_v1 & (1'b1);
  wire count_writes_n1_1 = count_wants_n1_1;
  wire in_14_n1 = n1_v0 & n1_adv0;
  wire count_17_n1 = n1_v0 & n1_adv0;
  wire n1_done = n1_runs & ~(n1_level != 1'd0);
  wire n2_v0 = n2_runs & n2_level == 1'd1;
  wire n2_waits1 = (n2_v1 & ~(~out_full));
  wire n2_adv1 = ~((n2_v1 & ~(~out_full)));
  wire n2_go = n2_runs & ((n2_v0 & n2_adv1) | (n2_level != 1'd1 & n2_level != 1'd0));
  wire out_28_n2 = n2_v1 & n2_adv1;
  wire count_27_n2 = n2_v0 & n2_adv1;
  wire n2_done = n2_runs & ~(n2_level != 1'd0 | (n2_v1 & ~n2_adv1));
  always @* begin
    if (n0_v0) begin
      count_lanes0_n0_0 = 1'd1;
      count_lanes_n0_0 = count_lanes0_n0_0;
      count_word_n0_0 = {32'd0};
      count_at_n0_0 = i_0_2_r[3:0];
    end
  end
  always @* begin
    if (n1_v0) begin
      and_15_n1_0 = in_data[3:0];
    end
  end
  always @* begin
    if (n1_v1) begin
      count_lanes0_n1_1 = 1'd1;
      inc12_19_n1_1 = count_17_word + 32'd1;
      count_lanes_n1_1 = count_lanes0_n1_1;
      count_word_n1_1 = {inc12_19_n1_1};
      count_at_n1_1 = and_15_p1;
    end
  end
  assign in_pop = in_14_n1;
  assign length_pop = (done_S1);
  assign out_push = out_28_n2;
  assign out_data = count_rq;
  assign count_re = count_17_n1 | count_27_n2;
  assign count_ra = ((n1_v0) & ~n1_waits0) ? and_15_n1_0 : i16_0_23_r[3:0];
  assign count_we = (count_writes_n0_0 & count_lanes_n0_0) | (count_writes_n1_1 & count_lanes_n1_1);
  assign count_wa = (count_wants_n0_0) ? count_at_n0_0 : count_at_n1_1;
  assign count_wd = (count_wants_n0_0) ? count_word_n0_0 : count_word_n1_1;
  assign waits_length = (in_S1 & length_empty);
  assign waits_in = ((n1_v0 & ~(~in_empty)) & ~n1_v1);
  assign waits_out = ((n2_v1 & ~(~out_full)));

  always @(posedge clk) begin
    if (n0_enter | n0_go) begin : n0_counters
      reg [4:0] inc_10_n0_l1_step_t;
      reg [4:0] i_0_2_n0_stepped;
      reg cmp_4_n0_l1_stepped_t;
      reg cmp_5_n0_l1_stepped_t;
      reg n0_goes_on1;
      reg [4:0] i_0_2_n0_init;
      reg cmp_4_n0_l1_first_t;
      reg cmp_5_n0_l1_first_t;
      reg [4:0] i_0_2_n0_next;
      reg n0_active1;
      inc_10_n0_l1_step_t = i_0_2_r + 5'd1;
      i_0_2_n0_stepped = (n0_level >= 1'd1) ? inc_10_n0_l1_step_t : i_0_2_r;
      cmp_4_n0_l1_stepped_t = i_0_2_n0_stepped[4];
      cmp_5_n0_l1_stepped_t = ~cmp_4_n0_l1_stepped_t;
      n0_goes_on1 = (n0_level >= 1'd1) & cmp_5_n0_l1_stepped_t;
      i_0_2_n0_init = 5'd0;
      cmp_4_n0_l1_first_t = i_0_2_n0_init[4];
      cmp_5_n0_l1_first_t = ~cmp_4_n0_l1_first_t;
      i_0_2_n0_next = (n0_enter) ? i_0_2_n0_init : i_0_2_n0_stepped;
      n0_active1 = (~n0_enter & (n0_goes_on1)) | (n0_enter & cmp_5_n0_l1_first_t);
      n0_level <= n0_active1 ? 1'd1 : 1'd0;
      i_0_2_r <= i_0_2_n0_next;
    end
    if (n1_v0 & n1_adv0) begin : n1_stage0
      and_15_p1 <= and_15_n1_0;
    end
    n1_v1 <= n1_v0 & n1_adv0;
    if (n1_enter | n1_go) begin : n1_counters
      reg [15:0] inc14_22_n1_l1_step_t;
      reg [15:0] i2_0_11_n1_stepped;
      reg n1_goes_on1;
      reg [15:0] i2_0_11_n1_init;
      reg cmp5_13_n1_l1_first_t;
      reg [15:0] i2_0_11_n1_next;
      reg [15:0] i2_0_11_n1_after_next;
      reg cmp5_13_n1_l1_ahead_after_next_t;
      reg [15:0] i2_0_11_n1_after_first;
      reg cmp5_13_n1_l1_ahead_after_first_t;
      reg n1_goes_on1_ahead_next;
      reg n1_active1;
      inc14_22_n1_l1_step_t = i2_0_11_r + 16'd1;
      i2_0_11_n1_stepped = (n1_level >= 1'd1) ? inc14_22_n1_l1_step_t : i2_0_11_r;
      n1_goes_on1 = (n1_level >= 1'd1) & n1_goes_on1_ahead;
      i2_0_11_n1_init = 16'd0;
      cmp5_13_n1_l1_first_t = i2_0_11_n1_init < stream_read_1_c;
      i2_0_11_n1_next = (n1_enter) ? i2_0_11_n1_init : i2_0_11_n1_stepped;
      i2_0_11_n1_after_next = i2_0_11_r + 16'd2;
      cmp5_13_n1_l1_ahead_after_next_t = i2_0_11_n1_after_next < stream_read_1_c;
      i2_0_11_n1_after_first = i2_0_11_n1_init + 16'd1;
      cmp5_13_n1_l1_ahead_after_first_t = i2_0_11_n1_after_first < stream_read_1_c;
      n1_goes_on1_ahead_next = (n1_enter) ? cmp5_13_n1_l1_ahead_after_first_t : cmp5_13_n1_l1_ahead_after_next_t;
      n1_active1 = (~n1_enter & (n1_goes_on1)) | (n1_enter & cmp5_13_n1_l1_first_t);
      n1_level <= n1_active1 ? 1'd1 : 1'd0;
      n1_goes_on1_ahead <= n1_goes_on1_ahead_next;
      i2_0_11_r <= i2_0_11_n1_next;
    end
    if (count_17_n1) count_17_met <= count_we & (count_wa == count_ra);
    if (count_17_n1 & (|count_we)) count_17_new <= count_wd;
    n2_v1 <= (n2_v0 & n2_adv1) | (n2_v1 & ~n2_adv1);
    if (n2_enter | n2_go) begin : n2_counters
      reg [4:0] inc24_29_n2_l1_step_t;
      reg [4:0] i16_0_23_n2_stepped;
      reg cmp18_24_n2_l1_stepped_t;
      reg cmp18_25_n2_l1_stepped_t;
      reg n2_goes_on1;
      reg [4:0] i16_0_23_n2_init;
      reg cmp18_24_n2_l1_first_t;
      reg cmp18_25_n2_l1_first_t;
      reg [4:0] i16_0_23_n2_next;
      reg n2_active1;
      inc24_29_n2_l1_step_t = i16_0_23_r + 5'd1;
      i16_0_23_n2_stepped = (n2_level >= 1'd1) ? inc24_29_n2_l1_step_t : i16_0_23_r;
      cmp18_24_n2_l1_stepped_t = i16_0_23_n2_stepped[4];
      cmp18_25_n2_l1_stepped_t = ~cmp18_24_n2_l1_stepped_t;
      n2_goes_on1 = (n2_level >= 1'd1) & cmp18_25_n2_l1_stepped_t;
      i16_0_23_n2_init = 5'd0;
      cmp18_24_n2_l1_first_t = i16_0_23_n2_init[4];
      cmp18_25_n2_l1_first_t = ~cmp18_24_n2_l1_first_t;
      i16_0_23_n2_next = (n2_enter) ? i16_0_23_n2_init : i16_0_23_n2_stepped;
      n2_active1 = (~n2_enter & (n2_goes_on1)) | (n2_enter & cmp18_25_n2_l1_first_t);
      n2_level <= n2_active1 ? 1'd1 : 1'd0;
      i16_0_23_r <= i16_0_23_n2_next;
    end
    if (n2_done) begin : after_n2
      hls_state <= S1;
    end
    if (n1_done) begin : after_n1
      hls_state <= S4;
    end
    if (n0_done) begin : after_n0
      hls_state <= S2;
    end
    if (done_S4) begin : at_S4  // run
      hls_state <= S6;
    end
    if (done_S2) begin : at_S2  // run
      hls_state <= S5;
    end
    if (done_S1) begin : at_S1  // tests/hls/kernels/histogram.cc:15
      stream_read_1_c <= length_data;
      hls_state <= S3;
    end
    if (done_S0) begin : at_S0  // run
      hls_state <= S1;
    end
    if (rst) begin
      hls_state <= S0;
      n0_level <= 1'd0;
      n1_v1 <= 1'b0;
      n1_level <= 1'd0;
      n2_v1 <= 1'b0;
      n2_level <= 1'd0;
    end
  end
endmodule
`endif

module Histogram (
  input wire clk,
  input wire rst,
  input wire [15:0] length_data,
  input wire length_empty,
  output wire length_pop,
  input wire [7:0] in_data,
  input wire in_empty,
  output wire in_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output wire run_waits_length,
  output wire run_waits_in,
  output wire run_waits_out
);
  wire run_count_re;
  wire [3:0] run_count_ra;
  wire [31:0] run_count_rq;
  wire run_count_we;
  wire [3:0] run_count_wa;
  wire [31:0] run_count_wd;
  wire [31:0] count_word;
  hls_ram #(.WIDTH(32), .DEPTH(16), .LANE(32), .STYLE("distributed")) count_ram (.clk(clk), .re((run_count_re)), .ra(run_count_ra), .rq(count_word), .we(run_count_we), .wa(run_count_wa), .wd(run_count_wd));
  assign run_count_rq = count_word;
  Histogram_run i_run (.clk(clk), .rst(rst), .length_data(length_data), .length_empty(length_empty), .length_pop(length_pop), .in_data(in_data), .in_empty(in_empty), .in_pop(in_pop), .out_data(out_data), .out_full(out_full), .out_push(out_push), .count_re(run_count_re), .count_ra(run_count_ra), .count_rq(run_count_rq), .count_we(run_count_we), .count_wa(run_count_wa), .count_wd(run_count_wd), .waits_length(run_waits_length), .waits_in(run_waits_in), .waits_out(run_waits_out));
endmodule
