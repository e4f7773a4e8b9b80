// SPDX-License-Identifier: Apache-2.0
//
// A small design for the open flow: the processing system, its control port through the bridge of
// the board's top, and one of each kind of cell whose configuration hw/fpga/flow checks. The cells
// are block RAMs of 36 and 18 Kbit with both ports wide and narrow, multipliers with registers, LUT
// RAM, and flip-flops that start and reset to 1. A write to address A stores; a read returns the
// sum of all.
module small_zynq_top;
  wire [3:0] fclk, fclk_resetn;
  wire clk;
  BUFG clock_buffer (
      .I(fclk[0]),
      .O(clk)
  );
  reg [1:0] resetn = 2'b00;
  always_ff @(posedge clk) resetn <= {resetn[0], fclk_resetn[0]};
  wire rst = ~resetn[1];

  wire [11:0] gp_awid, gp_bid, gp_arid, gp_rid;
  wire [31:0] gp_awaddr, gp_wdata, gp_araddr, gp_rdata;
  wire [3:0] gp_awlen, gp_wstrb, gp_arlen;
  wire [1:0] gp_bresp, gp_rresp;
  wire gp_awvalid, gp_awready, gp_wlast, gp_wvalid, gp_wready, gp_bvalid, gp_bready;
  wire gp_arvalid, gp_arready, gp_rlast, gp_rvalid, gp_rready;
  wire [11:0] awaddr, araddr;
  wire [31:0] wdata;
  wire [3:0] wstrb;
  wire awvalid, wvalid, arvalid, rready, bready;
  reg bvalid, rvalid, reading;
  wire writes = awvalid & wvalid & ~bvalid;
  wire reads = arvalid & ~reading & ~rvalid;
  reg [31:0] rdata;
  vta_axi3_to_lite bridge (
      .clk, .rst,
      .s_awid(gp_awid), .s_awaddr(gp_awaddr), .s_awlen(gp_awlen), .s_awvalid(gp_awvalid),
      .s_awready(gp_awready), .s_wdata(gp_wdata), .s_wstrb(gp_wstrb), .s_wlast(gp_wlast),
      .s_wvalid(gp_wvalid), .s_wready(gp_wready), .s_bid(gp_bid), .s_bresp(gp_bresp),
      .s_bvalid(gp_bvalid), .s_bready(gp_bready), .s_arid(gp_arid), .s_araddr(gp_araddr),
      .s_arlen(gp_arlen), .s_arvalid(gp_arvalid), .s_arready(gp_arready), .s_rid(gp_rid),
      .s_rdata(gp_rdata), .s_rresp(gp_rresp), .s_rlast(gp_rlast), .s_rvalid(gp_rvalid),
      .s_rready(gp_rready), .m_awaddr(awaddr), .m_awvalid(awvalid), .m_awready(writes),
      .m_wdata(wdata), .m_wstrb(wstrb), .m_wvalid(wvalid), .m_wready(writes), .m_bresp(2'b00),
      .m_bvalid(bvalid), .m_bready(bready), .m_araddr(araddr), .m_arvalid(arvalid),
      .m_arready(reads), .m_rdata(rdata), .m_rresp(2'b00), .m_rvalid(rvalid), .m_rready(rready)
  );

  wire [9:0] write_word = awaddr[11:2], read_word = araddr[11:2];
  // Contents that are not 0.
  reg [71:0] wide[0:511];
  reg [8:0] narrow[0:2047];
  reg [15:0] shallow[0:31];
  initial begin
    wide[0] = 72'h12_3456_789a_bcde_f012;
    narrow[1] = 9'h155;
  end
  reg [71:0] from_wide;
  reg [8:0] from_narrow;
  always_ff @(posedge clk) begin
    if (writes & ~awaddr[11]) wide[write_word[8:0]] <= {wdata, wdata, wdata[7:0]};
    if (writes & awaddr[11]) narrow[{1'b0, write_word}] <= wdata[8:0];
    if (writes) shallow[write_word[4:0]] <= wdata[15:0];
    if (reads) from_wide <= wide[read_word[8:0]];
    if (reads) from_narrow <= narrow[{1'b0, read_word}];
  end

  // A RAM of 36 Kbit with 9-bit ports, which synthesis does not choose by itself.
  wire [31:0] from_bytes;
  wire [3:0] parity;
  RAMB36E1 #(
      .RAM_MODE("TDP"), .READ_WIDTH_A(9), .WRITE_WIDTH_B(9),
      .WRITE_MODE_A("READ_FIRST"), .WRITE_MODE_B("READ_FIRST"), .DOA_REG(1)
  ) bytes (
      .CLKARDCLK(clk), .CLKBWRCLK(clk), .ENARDEN(1'b1), .ENBWREN(writes), .REGCEAREGCE(1'b1),
      .REGCEB(1'b0), .RSTRAMARSTRAM(1'b0), .RSTRAMB(1'b0), .RSTREGARSTREG(rst), .RSTREGB(1'b0),
      .ADDRARDADDR({2'b01, araddr[11:2], 4'd0}), .ADDRBWRADDR({2'b01, awaddr[11:2], 4'd0}),
      .DIADI(32'd0), .DIPADIP(4'd0), .DIBDI(wdata), .DIPBDIP({3'd0, wdata[8]}), .WEA(4'd0),
      .WEBWE(8'h01), .DOADO(from_bytes), .DOPADOP(parity)
  );

  // A product with registers before, within and after the multiplier.
  reg signed [17:0] factor_a, factor_b;
  reg signed [35:0] middle, product;
  always_ff @(posedge clk) begin
    factor_a <= wdata[17:0];
    factor_b <= {wdata[31:18], wdata[3:0]};
    middle <= factor_a * factor_b;
    product <= middle;
  end

  // A product of a sum that wraps: no pre-adder of a DSP, which is wider.
  wire [15:0] one_less = wdata[15:0] - 16'd1;
  reg [31:0] wrapped;
  always_ff @(posedge clk) wrapped <= {16'd0, one_less} * {16'd0, wdata[31:16]};

  // A shift register that resets to 1, and one that starts at 1.
  reg [7:0] ring, started = 8'hA5;
  always_ff @(posedge clk) begin
    ring <= rst ? 8'hFF : {ring[6:0], wdata[0]};
    if (reads) started <= {started[6:0], started[7]};
    reading <= reads & ~rst;
    if (reading)
      rdata <= from_wide[31:0] ^ from_wide[63:32] ^ {24'd0, from_wide[71:64]} ^
          {23'd0, from_narrow} ^ {16'd0, shallow[araddr[6:2]]} ^ {23'd0, parity[0], from_bytes[7:0]} ^
          product[31:0] ^ {28'd0, product[35:32]} ^ wrapped ^ {16'd0, ring, started};
    rvalid <= ~rst & (reading | (rvalid & ~rready));
    bvalid <= ~rst & (writes | (bvalid & ~bready));
  end

  PS7 ps7 (
      .FCLKCLK(fclk), .FCLKRESETN(fclk_resetn), .DDRARB(4'd0), .MAXIGP0ACLK(clk),
      .MAXIGP0AWID(gp_awid), .MAXIGP0AWADDR(gp_awaddr), .MAXIGP0AWLEN(gp_awlen),
      .MAXIGP0AWVALID(gp_awvalid), .MAXIGP0AWREADY(gp_awready), .MAXIGP0WDATA(gp_wdata),
      .MAXIGP0WSTRB(gp_wstrb), .MAXIGP0WLAST(gp_wlast), .MAXIGP0WVALID(gp_wvalid),
      .MAXIGP0WREADY(gp_wready), .MAXIGP0BID(gp_bid), .MAXIGP0BRESP(gp_bresp),
      .MAXIGP0BVALID(gp_bvalid), .MAXIGP0BREADY(gp_bready), .MAXIGP0ARID(gp_arid),
      .MAXIGP0ARADDR(gp_araddr), .MAXIGP0ARLEN(gp_arlen), .MAXIGP0ARVALID(gp_arvalid),
      .MAXIGP0ARREADY(gp_arready), .MAXIGP0RID(gp_rid), .MAXIGP0RDATA(gp_rdata),
      .MAXIGP0RRESP(gp_rresp), .MAXIGP0RLAST(gp_rlast), .MAXIGP0RVALID(gp_rvalid),
      .MAXIGP0RREADY(gp_rready)
  );

  wire unused = &{1'b0, fclk[3:1], fclk_resetn[3:1], wstrb, awaddr[1:0], araddr[1:0],
                  from_bytes[31:8], parity[3:1]};
endmodule
