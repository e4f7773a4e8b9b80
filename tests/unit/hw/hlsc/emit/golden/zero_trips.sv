// ZeroTrips: written by vta-hlsc

`ifndef HLS_SIMULATION
// process run of tests/hls/kernels/zero_trips.cc:14
module ZeroTrips_run (
  input wire clk,
  input wire rst,
  input wire [31:0] bounds_data,
  input wire bounds_empty,
  output wire bounds_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output wire waits_bounds,
  output wire waits_out
);
  localparam [2:0] S0 = 3'd0;
  localparam [2:0] S1 = 3'd1;
  localparam [2:0] S2 = 3'd2;
  localparam [2:0] S3 = 3'd3;
  reg [2:0] hls_state;
  reg [31:0] stream_read_1_c;
  reg [31:0] base_0_6_r;
  reg [7:0] i_0_8_r;
  reg n0_goes_on1_ahead;
  reg n0_goes_on2_ahead;
  reg [31:0] base_1_15_r;
  reg [7:0] j_0_16_r;
  reg [7:0] k_0_24_r;
  reg [1:0] n0_level;
  wire in_S0 = hls_state == S0;
  wire done_S0 = in_S0;
  wire in_S1 = hls_state == S1;
  wire done_S1 = in_S1 & ~bounds_empty;
  wire n0_enter = done_S1;
  wire n0_runs = hls_state == S3;
  wire in_S2 = hls_state == S2;
  wire done_S2 = in_S2 & ~out_full;
  wire n0_v0 = n0_runs & n0_level == 2'd3;
  wire n0_waits0 = (n0_v0 & ~(~out_full));
  wire n0_adv0 = ~((n0_v0 & ~(~out_full)));
  wire n0_go = n0_runs & ((n0_v0 & n0_adv0) | (n0_level != 2'd3 & n0_level != 2'd0));
  wire out_28_n0 = n0_v0 & n0_adv0;
  wire [23:0] shl_12_n0_0 = {i_0_8_r, 16'd0};
  wire [31:0] shl_13_n0_0 = {8'd0, shl_12_n0_0};
  wire [15:0] shl20_21_n0_0 = {j_0_16_r, 8'd0};
  wire [31:0] shl20_22_n0_0 = {16'd0, shl20_21_n0_0};
  wire [31:0] add21_23_n0_0 = (base_1_15_r + (shl_13_n0_0 + shl20_22_n0_0));
  wire [31:0] conv13_25_n0_0 = {24'd0, k_0_24_r};
  wire [31:0] add23_27_n0_0 = add21_23_n0_0 + conv13_25_n0_0;
  wire n0_done = n0_runs & ~(n0_level != 2'd0);
  assign bounds_pop = (done_S1);
  assign out_push = (done_S2) | out_28_n0;
  assign out_data = (in_S2) ? base_0_6_r : add23_27_n0_0;
  assign waits_bounds = (in_S1 & bounds_empty);
  assign waits_out = (in_S2 & out_full) | ((n0_v0 & ~(~out_full)));

  always @(posedge clk) begin
    if (n0_enter | n0_go) begin : n0_counters
      reg [7:0] inc_30_n0_l3_step_t;
      reg [7:0] k_0_24_n0_stepped;
      reg and_14_n0_l3_stepped_t;
      reg and_18_n0_l3_stepped_t;
      reg and_19_n0_l3_stepped_t;
      reg [7:0] b_sroa_5_0_extract_trunc_4_n0_l3_stepped_t;
      reg [7:0] b_sroa_6_0_extract_shift_5_n0_l3_stepped_t;
      reg [7:0] b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_stepped_t;
      reg cmp15_26_n0_l3_stepped_t;
      reg n0_goes_on3;
      reg [31:0] add24_32_n0_l2_step_t;
      reg [31:0] base_1_15_n0_stepped;
      reg [7:0] inc26_33_n0_l2_step_t;
      reg [7:0] j_0_16_n0_stepped;
      reg n0_goes_on2;
      reg [31:0] base_0_6_n0_stepped;
      reg [7:0] inc29_34_n0_l1_step_t;
      reg [7:0] i_0_8_n0_stepped;
      reg n0_goes_on1;
      reg [31:0] base_0_6_n0_init;
      reg [7:0] i_0_8_n0_init;
      reg [31:0] stream_read_1_n0_entered;
      reg [7:0] b_sroa_0_0_extract_trunc_2_n0_l1_first_t;
      reg cmp_10_n0_l1_first_t;
      reg [31:0] base_0_6_n0_next;
      reg [7:0] i_0_8_n0_next;
      reg [7:0] i_0_8_n0_after_next;
      reg [7:0] b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_next_t;
      reg cmp_10_n0_l1_ahead_after_next_t;
      reg [7:0] i_0_8_n0_after_first;
      reg [7:0] b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_first_t;
      reg cmp_10_n0_l1_ahead_after_first_t;
      reg n0_goes_on1_ahead_next;
      reg n0_active1;
      reg [31:0] base_1_15_n0_init;
      reg [7:0] j_0_16_n0_init;
      reg [7:0] b_sroa_4_0_extract_trunc_3_n0_l2_first_t;
      reg cmp6_17_n0_l2_first_t;
      reg [31:0] base_1_15_n0_next;
      reg [7:0] j_0_16_n0_next;
      reg [7:0] j_0_16_n0_after_next;
      reg [7:0] b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_next_t;
      reg cmp6_17_n0_l2_ahead_after_next_t;
      reg [7:0] j_0_16_n0_after_first;
      reg [7:0] b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_first_t;
      reg cmp6_17_n0_l2_ahead_after_first_t;
      reg n0_goes_on2_ahead_next;
      reg n0_active2;
      reg [7:0] k_0_24_n0_init;
      reg and_14_n0_l3_first_t;
      reg and_18_n0_l3_first_t;
      reg and_19_n0_l3_first_t;
      reg [7:0] b_sroa_5_0_extract_trunc_4_n0_l3_first_t;
      reg [7:0] b_sroa_6_0_extract_shift_5_n0_l3_first_t;
      reg [7:0] b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_first_t;
      reg cmp15_26_n0_l3_first_t;
      reg [7:0] k_0_24_n0_next;
      reg n0_active3;
      inc_30_n0_l3_step_t = k_0_24_r + 8'd1;
      k_0_24_n0_stepped = (n0_level >= 2'd3) ? inc_30_n0_l3_step_t : k_0_24_r;
      and_14_n0_l3_stepped_t = i_0_8_r[0];
      and_18_n0_l3_stepped_t = j_0_16_r[0];
      and_19_n0_l3_stepped_t = and_14_n0_l3_stepped_t ^ and_18_n0_l3_stepped_t;
      b_sroa_5_0_extract_trunc_4_n0_l3_stepped_t = stream_read_1_c[23:16];
      b_sroa_6_0_extract_shift_5_n0_l3_stepped_t = stream_read_1_c[31:24];
      b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_stepped_t = and_19_n0_l3_stepped_t ? b_sroa_5_0_extract_trunc_4_n0_l3_stepped_t : b_sroa_6_0_extract_shift_5_n0_l3_stepped_t;
      cmp15_26_n0_l3_stepped_t = k_0_24_n0_stepped < b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_stepped_t;
      n0_goes_on3 = (n0_level >= 2'd3) & cmp15_26_n0_l3_stepped_t;
      add24_32_n0_l2_step_t = base_1_15_r + 32'h1000000;
      base_1_15_n0_stepped = (n0_level >= 2'd2) ? add24_32_n0_l2_step_t : base_1_15_r;
      inc26_33_n0_l2_step_t = j_0_16_r + 8'd1;
      j_0_16_n0_stepped = (n0_level >= 2'd2) ? inc26_33_n0_l2_step_t : j_0_16_r;
      n0_goes_on2 = (n0_level >= 2'd2) & n0_goes_on2_ahead;
      base_0_6_n0_stepped = (n0_level >= 2'd1) ? base_1_15_n0_stepped : base_0_6_r;
      inc29_34_n0_l1_step_t = i_0_8_r + 8'd1;
      i_0_8_n0_stepped = (n0_level >= 2'd1) ? inc29_34_n0_l1_step_t : i_0_8_r;
      n0_goes_on1 = (n0_level >= 2'd1) & n0_goes_on1_ahead;
      base_0_6_n0_init = 32'd0;
      i_0_8_n0_init = 8'd0;
      stream_read_1_n0_entered = n0_enter ? bounds_data : stream_read_1_c;
      b_sroa_0_0_extract_trunc_2_n0_l1_first_t = stream_read_1_n0_entered[7:0];
      cmp_10_n0_l1_first_t = i_0_8_n0_init < b_sroa_0_0_extract_trunc_2_n0_l1_first_t;
      base_0_6_n0_next = (~n0_enter & (n0_goes_on2 | n0_goes_on3)) ? base_0_6_r : (n0_enter) ? base_0_6_n0_init : base_0_6_n0_stepped;
      i_0_8_n0_next = (~n0_enter & (n0_goes_on2 | n0_goes_on3)) ? i_0_8_r : (n0_enter) ? i_0_8_n0_init : i_0_8_n0_stepped;
      i_0_8_n0_after_next = i_0_8_r + 8'd2;
      b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_next_t = stream_read_1_c[7:0];
      cmp_10_n0_l1_ahead_after_next_t = i_0_8_n0_after_next < b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_next_t;
      i_0_8_n0_after_first = i_0_8_n0_init + 8'd1;
      b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_first_t = stream_read_1_n0_entered[7:0];
      cmp_10_n0_l1_ahead_after_first_t = i_0_8_n0_after_first < b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_first_t;
      n0_goes_on1_ahead_next = (~n0_enter & (n0_goes_on2 | n0_goes_on3)) ? n0_goes_on1_ahead : (n0_enter) ? cmp_10_n0_l1_ahead_after_first_t : cmp_10_n0_l1_ahead_after_next_t;
      n0_active1 = (~n0_enter & (n0_goes_on2 | n0_goes_on3 | n0_goes_on1)) | (n0_enter & cmp_10_n0_l1_first_t);
      base_1_15_n0_init = base_0_6_n0_next;
      j_0_16_n0_init = 8'd0;
      b_sroa_4_0_extract_trunc_3_n0_l2_first_t = stream_read_1_n0_entered[15:8];
      cmp6_17_n0_l2_first_t = j_0_16_n0_init < b_sroa_4_0_extract_trunc_3_n0_l2_first_t;
      base_1_15_n0_next = (~n0_enter & (n0_goes_on3)) ? base_1_15_r : (n0_enter | ~(n0_goes_on2)) ? base_1_15_n0_init : base_1_15_n0_stepped;
      j_0_16_n0_next = (~n0_enter & (n0_goes_on3)) ? j_0_16_r : (n0_enter | ~(n0_goes_on2)) ? j_0_16_n0_init : j_0_16_n0_stepped;
      j_0_16_n0_after_next = j_0_16_r + 8'd2;
      b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_next_t = stream_read_1_c[15:8];
      cmp6_17_n0_l2_ahead_after_next_t = j_0_16_n0_after_next < b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_next_t;
      j_0_16_n0_after_first = j_0_16_n0_init + 8'd1;
      b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_first_t = stream_read_1_n0_entered[15:8];
      cmp6_17_n0_l2_ahead_after_first_t = j_0_16_n0_after_first < b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_first_t;
      n0_goes_on2_ahead_next = (~n0_enter & (n0_goes_on3)) ? n0_goes_on2_ahead : (n0_enter | ~(n0_goes_on2)) ? cmp6_17_n0_l2_ahead_after_first_t : cmp6_17_n0_l2_ahead_after_next_t;
      n0_active2 = (~n0_enter & (n0_goes_on3 | n0_goes_on2)) | (n0_active1 & (n0_enter | ~(n0_goes_on3 | n0_goes_on2)) & cmp6_17_n0_l2_first_t);
      k_0_24_n0_init = 8'd0;
      and_14_n0_l3_first_t = i_0_8_n0_next[0];
      and_18_n0_l3_first_t = j_0_16_n0_next[0];
      and_19_n0_l3_first_t = and_14_n0_l3_first_t ^ and_18_n0_l3_first_t;
      b_sroa_5_0_extract_trunc_4_n0_l3_first_t = stream_read_1_n0_entered[23:16];
      b_sroa_6_0_extract_shift_5_n0_l3_first_t = stream_read_1_n0_entered[31:24];
      b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_first_t = and_19_n0_l3_first_t ? b_sroa_5_0_extract_trunc_4_n0_l3_first_t : b_sroa_6_0_extract_shift_5_n0_l3_first_t;
      cmp15_26_n0_l3_first_t = k_0_24_n0_init < b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_first_t;
      k_0_24_n0_next = (n0_enter | ~(n0_goes_on3)) ? k_0_24_n0_init : k_0_24_n0_stepped;
      n0_active3 = (~n0_enter & (n0_goes_on3)) | (n0_active2 & (n0_enter | ~(n0_goes_on3)) & cmp15_26_n0_l3_first_t);
      n0_level <= n0_active3 ? 2'd3 : n0_active2 ? 2'd2 : n0_active1 ? 2'd1 : 2'd0;
      n0_goes_on1_ahead <= n0_goes_on1_ahead_next;
      base_0_6_r <= base_0_6_n0_next;
      i_0_8_r <= i_0_8_n0_next;
      n0_goes_on2_ahead <= n0_goes_on2_ahead_next;
      base_1_15_r <= base_1_15_n0_next;
      j_0_16_r <= j_0_16_n0_next;
      k_0_24_r <= k_0_24_n0_next;
    end
    if (n0_done) begin : after_n0
      hls_state <= S2;
    end
    if (done_S2) begin : at_S2  // tests/hls/kernels/zero_trips.cc:28
      hls_state <= S1;
    end
    if (done_S1) begin : at_S1  // tests/hls/kernels/zero_trips.cc:16
      stream_read_1_c <= bounds_data;
      hls_state <= S3;
    end
    if (done_S0) begin : at_S0  // run
      hls_state <= S1;
    end
    if (rst) begin
      hls_state <= S0;
      n0_level <= 2'd0;
    end
  end
endmodule
`else
// process run of tests/hls/kernels/zero_trips.cc:14
module ZeroTrips_run (
  input wire clk,
  input wire rst,
  input wire [31:0] bounds_data,
  input wire bounds_empty,
  output wire bounds_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output wire waits_bounds,
  output wire waits_out
);
  localparam [2:0] S0 = 3'd0;
  localparam [2:0] S1 = 3'd1;
  localparam [2:0] S2 = 3'd2;
  localparam [2:0] S3 = 3'd3;
  reg [2:0] hls_state;
  reg [31:0] stream_read_1_c;
  reg [31:0] base_0_6_r;
  reg [7:0] i_0_8_r;
  reg n0_goes_on1_ahead;
  reg n0_goes_on2_ahead;
  reg [31:0] base_1_15_r;
  reg [7:0] j_0_16_r;
  reg [7:0] k_0_24_r;
  reg [1:0] n0_level;
  reg [23:0] shl_12_n0_0;
  reg [31:0] shl_13_n0_0;
  reg [15:0] shl20_21_n0_0;
  reg [31:0] shl20_22_n0_0;
  reg [31:0] add21_23_n0_0;
  reg [31:0] conv13_25_n0_0;
  reg [31:0] add23_27_n0_0;
  wire in_S0 = hls_state == S0;
  wire done_S0 = in_S0;
  wire in_S1 = hls_state == S1;
  wire done_S1 = in_S1 & ~bounds_empty;
  wire n0_enter = done_S1;
  wire n0_runs = hls_state == S3;
  wire in_S2 = hls_state == S2;
  wire done_S2 = in_S2 & ~out_full;
  wire n0_v0 = n0_runs & n0_level == 2'd3;
  wire n0_waits0 = (n0_v0 & ~(~out_full));
  wire n0_adv0 = ~((n0_v0 & ~(~out_full)));
  wire n0_go = n0_runs & ((n0_v0 & n0_adv0) | (n0_level != 2'd3 & n0_level != 2'd0));
  wire out_28_n0 = n0_v0 & n0_adv0;
  wire n0_done = n0_runs & ~(n0_level != 2'd0);
  always @* begin
    if (n0_v0) begin
      shl_12_n0_0 = {i_0_8_r, 16'd0};
      shl_13_n0_0 = {8'd0, shl_12_n0_0};
      shl20_21_n0_0 = {j_0_16_r, 8'd0};
      shl20_22_n0_0 = {16'd0, shl20_21_n0_0};
      add21_23_n0_0 = (base_1_15_r + (shl_13_n0_0 + shl20_22_n0_0));
      conv13_25_n0_0 = {24'd0, k_0_24_r};
      add23_27_n0_0 = add21_23_n0_0 + conv13_25_n0_0;
    end
  end
  assign bounds_pop = (done_S1);
  assign out_push = (done_S2) | out_28_n0;
  assign out_data = (in_S2) ? base_0_6_r : add23_27_n0_0;
  assign waits_bounds = (in_S1 & bounds_empty);
  assign waits_out = (in_S2 & out_full) | ((n0_v0 & ~(~out_full)));

  always @(posedge clk) begin
    if (n0_enter | n0_go) begin : n0_counters
      reg [7:0] inc_30_n0_l3_step_t;
      reg [7:0] k_0_24_n0_stepped;
      reg and_14_n0_l3_stepped_t;
      reg and_18_n0_l3_stepped_t;
      reg and_19_n0_l3_stepped_t;
      reg [7:0] b_sroa_5_0_extract_trunc_4_n0_l3_stepped_t;
      reg [7:0] b_sroa_6_0_extract_shift_5_n0_l3_stepped_t;
      reg [7:0] b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_stepped_t;
      reg cmp15_26_n0_l3_stepped_t;
      reg n0_goes_on3;
      reg [31:0] add24_32_n0_l2_step_t;
      reg [31:0] base_1_15_n0_stepped;
      reg [7:0] inc26_33_n0_l2_step_t;
      reg [7:0] j_0_16_n0_stepped;
      reg n0_goes_on2;
      reg [31:0] base_0_6_n0_stepped;
      reg [7:0] inc29_34_n0_l1_step_t;
      reg [7:0] i_0_8_n0_stepped;
      reg n0_goes_on1;
      reg [31:0] base_0_6_n0_init;
      reg [7:0] i_0_8_n0_init;
      reg [31:0] stream_read_1_n0_entered;
      reg [7:0] b_sroa_0_0_extract_trunc_2_n0_l1_first_t;
      reg cmp_10_n0_l1_first_t;
      reg [31:0] base_0_6_n0_next;
      reg [7:0] i_0_8_n0_next;
      reg [7:0] i_0_8_n0_after_next;
      reg [7:0] b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_next_t;
      reg cmp_10_n0_l1_ahead_after_next_t;
      reg [7:0] i_0_8_n0_after_first;
      reg [7:0] b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_first_t;
      reg cmp_10_n0_l1_ahead_after_first_t;
      reg n0_goes_on1_ahead_next;
      reg n0_active1;
      reg [31:0] base_1_15_n0_init;
      reg [7:0] j_0_16_n0_init;
      reg [7:0] b_sroa_4_0_extract_trunc_3_n0_l2_first_t;
      reg cmp6_17_n0_l2_first_t;
      reg [31:0] base_1_15_n0_next;
      reg [7:0] j_0_16_n0_next;
      reg [7:0] j_0_16_n0_after_next;
      reg [7:0] b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_next_t;
      reg cmp6_17_n0_l2_ahead_after_next_t;
      reg [7:0] j_0_16_n0_after_first;
      reg [7:0] b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_first_t;
      reg cmp6_17_n0_l2_ahead_after_first_t;
      reg n0_goes_on2_ahead_next;
      reg n0_active2;
      reg [7:0] k_0_24_n0_init;
      reg and_14_n0_l3_first_t;
      reg and_18_n0_l3_first_t;
      reg and_19_n0_l3_first_t;
      reg [7:0] b_sroa_5_0_extract_trunc_4_n0_l3_first_t;
      reg [7:0] b_sroa_6_0_extract_shift_5_n0_l3_first_t;
      reg [7:0] b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_first_t;
      reg cmp15_26_n0_l3_first_t;
      reg [7:0] k_0_24_n0_next;
      reg n0_active3;
      inc_30_n0_l3_step_t = k_0_24_r + 8'd1;
      k_0_24_n0_stepped = (n0_level >= 2'd3) ? inc_30_n0_l3_step_t : k_0_24_r;
      and_14_n0_l3_stepped_t = i_0_8_r[0];
      and_18_n0_l3_stepped_t = j_0_16_r[0];
      and_19_n0_l3_stepped_t = and_14_n0_l3_stepped_t ^ and_18_n0_l3_stepped_t;
      b_sroa_5_0_extract_trunc_4_n0_l3_stepped_t = stream_read_1_c[23:16];
      b_sroa_6_0_extract_shift_5_n0_l3_stepped_t = stream_read_1_c[31:24];
      b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_stepped_t = and_19_n0_l3_stepped_t ? b_sroa_5_0_extract_trunc_4_n0_l3_stepped_t : b_sroa_6_0_extract_shift_5_n0_l3_stepped_t;
      cmp15_26_n0_l3_stepped_t = k_0_24_n0_stepped < b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_stepped_t;
      n0_goes_on3 = (n0_level >= 2'd3) & cmp15_26_n0_l3_stepped_t;
      add24_32_n0_l2_step_t = base_1_15_r + 32'h1000000;
      base_1_15_n0_stepped = (n0_level >= 2'd2) ? add24_32_n0_l2_step_t : base_1_15_r;
      inc26_33_n0_l2_step_t = j_0_16_r + 8'd1;
      j_0_16_n0_stepped = (n0_level >= 2'd2) ? inc26_33_n0_l2_step_t : j_0_16_r;
      n0_goes_on2 = (n0_level >= 2'd2) & n0_goes_on2_ahead;
      base_0_6_n0_stepped = (n0_level >= 2'd1) ? base_1_15_n0_stepped : base_0_6_r;
      inc29_34_n0_l1_step_t = i_0_8_r + 8'd1;
      i_0_8_n0_stepped = (n0_level >= 2'd1) ? inc29_34_n0_l1_step_t : i_0_8_r;
      n0_goes_on1 = (n0_level >= 2'd1) & n0_goes_on1_ahead;
      base_0_6_n0_init = 32'd0;
      i_0_8_n0_init = 8'd0;
      stream_read_1_n0_entered = n0_enter ? bounds_data : stream_read_1_c;
      b_sroa_0_0_extract_trunc_2_n0_l1_first_t = stream_read_1_n0_entered[7:0];
      cmp_10_n0_l1_first_t = i_0_8_n0_init < b_sroa_0_0_extract_trunc_2_n0_l1_first_t;
      base_0_6_n0_next = (~n0_enter & (n0_goes_on2 | n0_goes_on3)) ? base_0_6_r : (n0_enter) ? base_0_6_n0_init : base_0_6_n0_stepped;
      i_0_8_n0_next = (~n0_enter & (n0_goes_on2 | n0_goes_on3)) ? i_0_8_r : (n0_enter) ? i_0_8_n0_init : i_0_8_n0_stepped;
      i_0_8_n0_after_next = i_0_8_r + 8'd2;
      b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_next_t = stream_read_1_c[7:0];
      cmp_10_n0_l1_ahead_after_next_t = i_0_8_n0_after_next < b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_next_t;
      i_0_8_n0_after_first = i_0_8_n0_init + 8'd1;
      b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_first_t = stream_read_1_n0_entered[7:0];
      cmp_10_n0_l1_ahead_after_first_t = i_0_8_n0_after_first < b_sroa_0_0_extract_trunc_2_n0_l1_ahead_after_first_t;
      n0_goes_on1_ahead_next = (~n0_enter & (n0_goes_on2 | n0_goes_on3)) ? n0_goes_on1_ahead : (n0_enter) ? cmp_10_n0_l1_ahead_after_first_t : cmp_10_n0_l1_ahead_after_next_t;
      n0_active1 = (~n0_enter & (n0_goes_on2 | n0_goes_on3 | n0_goes_on1)) | (n0_enter & cmp_10_n0_l1_first_t);
      base_1_15_n0_init = base_0_6_n0_next;
      j_0_16_n0_init = 8'd0;
      b_sroa_4_0_extract_trunc_3_n0_l2_first_t = stream_read_1_n0_entered[15:8];
      cmp6_17_n0_l2_first_t = j_0_16_n0_init < b_sroa_4_0_extract_trunc_3_n0_l2_first_t;
      base_1_15_n0_next = (~n0_enter & (n0_goes_on3)) ? base_1_15_r : (n0_enter | ~(n0_goes_on2)) ? base_1_15_n0_init : base_1_15_n0_stepped;
      j_0_16_n0_next = (~n0_enter & (n0_goes_on3)) ? j_0_16_r : (n0_enter | ~(n0_goes_on2)) ? j_0_16_n0_init : j_0_16_n0_stepped;
      j_0_16_n0_after_next = j_0_16_r + 8'd2;
      b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_next_t = stream_read_1_c[15:8];
      cmp6_17_n0_l2_ahead_after_next_t = j_0_16_n0_after_next < b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_next_t;
      j_0_16_n0_after_first = j_0_16_n0_init + 8'd1;
      b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_first_t = stream_read_1_n0_entered[15:8];
      cmp6_17_n0_l2_ahead_after_first_t = j_0_16_n0_after_first < b_sroa_4_0_extract_trunc_3_n0_l2_ahead_after_first_t;
      n0_goes_on2_ahead_next = (~n0_enter & (n0_goes_on3)) ? n0_goes_on2_ahead : (n0_enter | ~(n0_goes_on2)) ? cmp6_17_n0_l2_ahead_after_first_t : cmp6_17_n0_l2_ahead_after_next_t;
      n0_active2 = (~n0_enter & (n0_goes_on3 | n0_goes_on2)) | (n0_active1 & (n0_enter | ~(n0_goes_on3 | n0_goes_on2)) & cmp6_17_n0_l2_first_t);
      k_0_24_n0_init = 8'd0;
      and_14_n0_l3_first_t = i_0_8_n0_next[0];
      and_18_n0_l3_first_t = j_0_16_n0_next[0];
      and_19_n0_l3_first_t = and_14_n0_l3_first_t ^ and_18_n0_l3_first_t;
      b_sroa_5_0_extract_trunc_4_n0_l3_first_t = stream_read_1_n0_entered[23:16];
      b_sroa_6_0_extract_shift_5_n0_l3_first_t = stream_read_1_n0_entered[31:24];
      b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_first_t = and_19_n0_l3_first_t ? b_sroa_5_0_extract_trunc_4_n0_l3_first_t : b_sroa_6_0_extract_shift_5_n0_l3_first_t;
      cmp15_26_n0_l3_first_t = k_0_24_n0_init < b_sroa_5_0_extract_trunc_b_sroa_6_0_extract_trunc_20_n0_l3_first_t;
      k_0_24_n0_next = (n0_enter | ~(n0_goes_on3)) ? k_0_24_n0_init : k_0_24_n0_stepped;
      n0_active3 = (~n0_enter & (n0_goes_on3)) | (n0_active2 & (n0_enter | ~(n0_goes_on3)) & cmp15_26_n0_l3_first_t);
      n0_level <= n0_active3 ? 2'd3 : n0_active2 ? 2'd2 : n0_active1 ? 2'd1 : 2'd0;
      n0_goes_on1_ahead <= n0_goes_on1_ahead_next;
      base_0_6_r <= base_0_6_n0_next;
      i_0_8_r <= i_0_8_n0_next;
      n0_goes_on2_ahead <= n0_goes_on2_ahead_next;
      base_1_15_r <= base_1_15_n0_next;
      j_0_16_r <= j_0_16_n0_next;
      k_0_24_r <= k_0_24_n0_next;
    end
    if (n0_done) begin : after_n0
      hls_state <= S2;
    end
    if (done_S2) begin : at_S2  // tests/hls/kernels/zero_trips.cc:28
      hls_state <= S1;
    end
    if (done_S1) begin : at_S1  // tests/hls/kernels/zero_trips.cc:16
      stream_read_1_c <= bounds_data;
      hls_state <= S3;
    end
    if (done_S0) begin : at_S0  // run
      hls_state <= S1;
    end
    if (rst) begin
      hls_state <= S0;
      n0_level <= 2'd0;
    end
  end
endmodule
`endif

module ZeroTrips (
  input wire clk,
  input wire rst,
  input wire [31:0] bounds_data,
  input wire bounds_empty,
  output wire bounds_pop,
  output wire [31:0] out_data,
  input wire out_full,
  output wire out_push,
  output wire run_waits_bounds,
  output wire run_waits_out
);
  ZeroTrips_run i_run (.clk(clk), .rst(rst), .bounds_data(bounds_data), .bounds_empty(bounds_empty), .bounds_pop(bounds_pop), .out_data(out_data), .out_full(out_full), .out_push(out_push), .waits_bounds(run_waits_bounds), .waits_out(run_waits_out));
endmodule
