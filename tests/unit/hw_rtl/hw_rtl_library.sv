// SPDX-License-Identifier: Apache-2.0
//
// The variants of hw/rtl under test, as one model. Ports are arrays with one element a variant. The
// parameters are repeated in tests/unit/hw_rtl/library.h.
module hw_rtl_library (
    input wire clk,
    input wire rst,

    input  wire        fifo_push [8],
    input  wire [63:0] fifo_din,
    output wire        fifo_full [8],
    input  wire        fifo_pop  [8],
    output wire [63:0] fifo_dout [8],
    output wire        fifo_empty[8],

    input  wire       tokens_push [6],
    output wire       tokens_full [6],
    input  wire       tokens_pop  [6],
    output wire       tokens_empty[6],
    output wire [9:0] tokens_count[6],

    input  wire         ram_re[3],
    input  wire [  5:0] ram_ra[3],
    output wire [127:0] ram_rq[3],
    input  wire [ 15:0] ram_we[3],
    input  wire [  5:0] ram_wa[3],
    input  wire [127:0] ram_wd[3],

    input  wire         tdp_a_re,
    input  wire [  5:0] tdp_a_ra,
    output wire [127:0] tdp_a_rq,
    input  wire         tdp_b_re,
    input  wire         tdp_b_we,
    input  wire [  5:0] tdp_b_a,
    input  wire [127:0] tdp_b_wd,
    output wire [127:0] tdp_b_rq,

    input  wire [47:0] read_request_data[3],
    output wire        read_request_full[3],
    input  wire        read_request_push[3],
    output wire [63:0] read_beat_data   [3],
    output wire        read_beat_empty  [3],
    input  wire        read_beat_pop    [3],
    output wire        arvalid          [3],
    input  wire        arready          [3],
    output wire [31:0] araddr           [3],
    output wire [ 7:0] arlen            [3],
    input  wire        rvalid           [3],
    output wire        rready           [3],
    input  wire [63:0] rdata            [3],
    input  wire [ 1:0] rresp            [3],
    input  wire        rlast            [3],
    output wire        read_error       [3],

    input  wire [47:0] write_request_data[3],
    output wire        write_request_full[3],
    input  wire        write_request_push[3],
    input  wire [63:0] write_beat_data   [3],
    output wire        write_beat_full   [3],
    input  wire        write_beat_push   [3],
    output wire        write_idle        [3],
    output wire        awvalid           [3],
    input  wire        awready           [3],
    output wire [31:0] awaddr            [3],
    output wire [ 7:0] awlen             [3],
    output wire        wvalid            [3],
    input  wire        wready            [3],
    output wire [63:0] wdata             [3],
    output wire        wlast             [3],
    input  wire        bvalid            [3],
    output wire        bready            [3],
    input  wire [ 1:0] bresp             [3],
    output wire        write_error       [3]
);
  localparam int FIFO_DEPTHS[8] = '{1, 2, 3, 4, 32, 33, 64, 512};
  localparam int TOKEN_DEPTHS[6] = '{1, 2, 3, 4, 64, 512};
  localparam int RAM_DEPTHS[3] = '{37, 64, 1};
  localparam int RAM_LANES[3] = '{8, 64, 128};
  localparam int BURSTS[3] = '{1, 3, 8};

  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_fifo
      hls_fifo #(
          .WIDTH(64),
          .DEPTH(FIFO_DEPTHS[i])
      ) fifo (
          .clk  (clk),
          .rst  (rst),
          .push (fifo_push[i]),
          .din  (fifo_din),
          .full (fifo_full[i]),
          .pop  (fifo_pop[i]),
          .dout (fifo_dout[i]),
          .empty(fifo_empty[i])
      );
    end
    for (i = 0; i < 6; i = i + 1) begin : g_tokens
      localparam int BITS = $clog2(TOKEN_DEPTHS[i] + 1);
      wire [BITS-1:0] count;
      assign tokens_count[i] = 10'(count);
      hls_tokens #(
          .DEPTH(TOKEN_DEPTHS[i])
      ) tokens (
          .clk  (clk),
          .rst  (rst),
          .push (tokens_push[i]),
          .full (tokens_full[i]),
          .pop  (tokens_pop[i]),
          .empty(tokens_empty[i]),
          .count(count)
      );
    end
    for (i = 0; i < 3; i = i + 1) begin : g_ram
      localparam int ADDRESS_BITS = RAM_DEPTHS[i] <= 2 ? 1 : $clog2(RAM_DEPTHS[i]);
      hls_ram #(
          .WIDTH(128),
          .DEPTH(RAM_DEPTHS[i]),
          .LANE (RAM_LANES[i])
      ) ram (
          .clk(clk),
          .re (ram_re[i]),
          .ra (ram_ra[i][ADDRESS_BITS-1:0]),
          .rq (ram_rq[i]),
          .we (ram_we[i][128/RAM_LANES[i]-1:0]),
          .wa (ram_wa[i][ADDRESS_BITS-1:0]),
          .wd (ram_wd[i])
      );
    end
    for (i = 0; i < 3; i = i + 1) begin : g_axi
      hls_axi_read #(
          .BURSTS(BURSTS[i])
      ) reader (
          .clk(clk),
          .rst(rst),
          .request_data(read_request_data[i]),
          .request_full(read_request_full[i]),
          .request_push(read_request_push[i]),
          .beat_data(read_beat_data[i]),
          .beat_empty(read_beat_empty[i]),
          .beat_pop(read_beat_pop[i]),
          .arvalid(arvalid[i]),
          .arready(arready[i]),
          .araddr(araddr[i]),
          .arlen(arlen[i]),
          .rvalid(rvalid[i]),
          .rready(rready[i]),
          .rdata(rdata[i]),
          .rresp(rresp[i]),
          .rlast(rlast[i]),
          .error(read_error[i])
      );
      hls_axi_write #(
          .BURSTS(BURSTS[i])
      ) writer (
          .clk(clk),
          .rst(rst),
          .request_data(write_request_data[i]),
          .request_full(write_request_full[i]),
          .request_push(write_request_push[i]),
          .beat_data(write_beat_data[i]),
          .beat_full(write_beat_full[i]),
          .beat_push(write_beat_push[i]),
          .idle(write_idle[i]),
          .awvalid(awvalid[i]),
          .awready(awready[i]),
          .awaddr(awaddr[i]),
          .awlen(awlen[i]),
          .wvalid(wvalid[i]),
          .wready(wready[i]),
          .wdata(wdata[i]),
          .wlast(wlast[i]),
          .bvalid(bvalid[i]),
          .bready(bready[i]),
          .bresp(bresp[i]),
          .error(write_error[i])
      );
    end
  endgenerate

  hls_ram_tdp #(
      .WIDTH(128),
      .DEPTH(37)
  ) tdp (
      .clk (clk),
      .a_re(tdp_a_re),
      .a_ra(tdp_a_ra),
      .a_rq(tdp_a_rq),
      .b_re(tdp_b_re),
      .b_we(tdp_b_we),
      .b_a (tdp_b_a),
      .b_wd(tdp_b_wd),
      .b_rq(tdp_b_rq)
  );
endmodule
