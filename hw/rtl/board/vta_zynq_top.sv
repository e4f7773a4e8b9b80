// SPDX-License-Identifier: Apache-2.0
//
// The whole design of a Zynq-7000 board, for every toolchain: the processing system, one clock,
// vta_top on its control port GP0 and its memory ports HP0 to HP3. Each DRAM port of the core has
// an HP port; reads of ACC and writes of STORE share HP1, whose read and write channels are
// separate. DDR and MIO pins belong to the processing system and need no ports here.
module vta_zynq_top #(
    parameter EXTENSION = 1,
    parameter CLOCK_HZ  = 100_000_000
);
  // FCLK0 drives everything. Its reset is asynchronous; two flip-flops bring it to the clock.
  wire [3:0] fclk, fclk_resetn;
  wire clk;
  BUFG clock_buffer (
      .I(fclk[0]),
      .O(clk)
  );
  (* ASYNC_REG = "TRUE" *) reg [1:0] resetn = 2'b00;
  always_ff @(posedge clk) resetn <= {resetn[0], fclk_resetn[0]};
  wire rst = ~resetn[1];

  // GP0: the control registers.
  wire [11:0] gp_awid, gp_bid, gp_arid, gp_rid;
  wire [31:0] gp_awaddr, gp_wdata, gp_araddr, gp_rdata;
  wire [3:0] gp_awlen, gp_wstrb, gp_arlen;
  wire [1:0] gp_bresp, gp_rresp;
  wire gp_awvalid, gp_awready, gp_wlast, gp_wvalid, gp_wready, gp_bvalid, gp_bready;
  wire gp_arvalid, gp_arready, gp_rlast, gp_rvalid, gp_rready;
  wire [11:0] lite_awaddr, lite_araddr;
  wire [31:0] lite_wdata, lite_rdata;
  wire [3:0] lite_wstrb;
  wire [1:0] lite_bresp, lite_rresp;
  wire lite_awvalid, lite_awready, lite_wvalid, lite_wready, lite_bvalid, lite_bready;
  wire lite_arvalid, lite_arready, lite_rvalid, lite_rready;
  vta_axi3_to_lite to_registers (
      .clk, .rst,
      .s_awid(gp_awid), .s_awaddr(gp_awaddr), .s_awlen(gp_awlen), .s_awvalid(gp_awvalid),
      .s_awready(gp_awready), .s_wdata(gp_wdata), .s_wstrb(gp_wstrb), .s_wlast(gp_wlast),
      .s_wvalid(gp_wvalid), .s_wready(gp_wready), .s_bid(gp_bid), .s_bresp(gp_bresp),
      .s_bvalid(gp_bvalid), .s_bready(gp_bready), .s_arid(gp_arid), .s_araddr(gp_araddr),
      .s_arlen(gp_arlen), .s_arvalid(gp_arvalid), .s_arready(gp_arready), .s_rid(gp_rid),
      .s_rdata(gp_rdata), .s_rresp(gp_rresp), .s_rlast(gp_rlast), .s_rvalid(gp_rvalid),
      .s_rready(gp_rready), .m_awaddr(lite_awaddr), .m_awvalid(lite_awvalid),
      .m_awready(lite_awready), .m_wdata(lite_wdata), .m_wstrb(lite_wstrb), .m_wvalid(lite_wvalid),
      .m_wready(lite_wready), .m_bresp(lite_bresp), .m_bvalid(lite_bvalid), .m_bready(lite_bready),
      .m_araddr(lite_araddr), .m_arvalid(lite_arvalid), .m_arready(lite_arready),
      .m_rdata(lite_rdata), .m_rresp(lite_rresp), .m_rvalid(lite_rvalid), .m_rready(lite_rready)
  );

  // HP0 to HP3: DRAM. Masters that read, in the order of vta_top.
  localparam FETCH = 0, LOAD = 1, UOP = 2, ACC = 3;
  wire [3:0] arvalid, arready, rvalid, rready, rlast;
  wire [3:0][31:0] araddr;
  wire [3:0][3:0] arlen;
  wire [3:0][63:0] rdata;
  wire [3:0][1:0] rresp;
  wire awvalid, awready, wvalid, wready, wlast, bvalid, bready;
  wire [31:0] awaddr;
  wire [3:0] awlen;
  wire [63:0] wdata;
  wire [7:0] wstrb;
  wire [1:0] bresp;
  // The same for all bursts.
  localparam [5:0] ID = 6'd0;  // one ID: responses are in order
  localparam [1:0] SIZE = 2'd3;  // 8 bytes a beat
  localparam [1:0] BURST = 2'b01;  // incrementing
  localparam [1:0] LOCK = 2'b00;
  localparam [3:0] CACHE = 4'b0011;  // may be buffered and merged
  localparam [2:0] PROT = 3'b000;
  localparam [3:0] QOS = 4'b0000;

  wire irq;
  vta_top #(
      .EXTENSION(EXTENSION),
      .CLOCK_HZ(CLOCK_HZ)
  ) vta (
      .aclk(clk), .aresetn(resetn[1]), .irq,
      .s_axi_awaddr(lite_awaddr), .s_axi_awvalid(lite_awvalid), .s_axi_awready(lite_awready),
      .s_axi_wdata(lite_wdata), .s_axi_wstrb(lite_wstrb), .s_axi_wvalid(lite_wvalid),
      .s_axi_wready(lite_wready), .s_axi_bresp(lite_bresp), .s_axi_bvalid(lite_bvalid),
      .s_axi_bready(lite_bready), .s_axi_araddr(lite_araddr), .s_axi_arvalid(lite_arvalid),
      .s_axi_arready(lite_arready), .s_axi_rdata(lite_rdata), .s_axi_rresp(lite_rresp),
      .s_axi_rvalid(lite_rvalid), .s_axi_rready(lite_rready),
      .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_araddr(araddr), .m_axi_arlen(arlen),
      .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axi_rdata(rdata), .m_axi_rresp(rresp),
      .m_axi_rlast(rlast), .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awaddr(awaddr),
      .m_axi_awlen(awlen), .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(wdata),
      .m_axi_wstrb(wstrb), .m_axi_wlast(wlast), .m_axi_bvalid(bvalid), .m_axi_bready(bready),
      .m_axi_bresp(bresp)
  );

  // Toolchains set inputs of the processing system that are not connected here to 0, except those
  // whose names begin with DDR, which nextpnr takes for pads. DDRARB is none: it makes requests of
  // the ports urgent, and an input without a wire is 1.
  PS7 ps7 (
      .FCLKCLK(fclk), .FCLKRESETN(fclk_resetn), .IRQF2P({19'd0, irq}), .DDRARB(4'd0),
      .MAXIGP0ACLK(clk),
      .MAXIGP0AWID(gp_awid), .MAXIGP0AWADDR(gp_awaddr), .MAXIGP0AWLEN(gp_awlen),
      .MAXIGP0AWVALID(gp_awvalid), .MAXIGP0AWREADY(gp_awready), .MAXIGP0WDATA(gp_wdata),
      .MAXIGP0WSTRB(gp_wstrb), .MAXIGP0WLAST(gp_wlast), .MAXIGP0WVALID(gp_wvalid),
      .MAXIGP0WREADY(gp_wready), .MAXIGP0BID(gp_bid), .MAXIGP0BRESP(gp_bresp),
      .MAXIGP0BVALID(gp_bvalid), .MAXIGP0BREADY(gp_bready), .MAXIGP0ARID(gp_arid),
      .MAXIGP0ARADDR(gp_araddr), .MAXIGP0ARLEN(gp_arlen), .MAXIGP0ARVALID(gp_arvalid),
      .MAXIGP0ARREADY(gp_arready), .MAXIGP0RID(gp_rid), .MAXIGP0RDATA(gp_rdata),
      .MAXIGP0RRESP(gp_rresp), .MAXIGP0RLAST(gp_rlast), .MAXIGP0RVALID(gp_rvalid),
      .MAXIGP0RREADY(gp_rready),
      .SAXIHP0ACLK(clk), .SAXIHP1ACLK(clk), .SAXIHP2ACLK(clk), .SAXIHP3ACLK(clk),
      .SAXIHP0ARVALID(arvalid[LOAD]), .SAXIHP0ARREADY(arready[LOAD]), .SAXIHP0ARADDR(araddr[LOAD]),
      .SAXIHP0ARLEN(arlen[LOAD]), .SAXIHP0RVALID(rvalid[LOAD]), .SAXIHP0RREADY(rready[LOAD]),
      .SAXIHP0RDATA(rdata[LOAD]), .SAXIHP0RRESP(rresp[LOAD]), .SAXIHP0RLAST(rlast[LOAD]),
      .SAXIHP0ARID(ID), .SAXIHP0ARSIZE(SIZE), .SAXIHP0ARBURST(BURST), .SAXIHP0ARLOCK(LOCK),
      .SAXIHP0ARCACHE(CACHE), .SAXIHP0ARPROT(PROT), .SAXIHP0ARQOS(QOS), .SAXIHP0AWVALID(1'b0),
      .SAXIHP0WVALID(1'b0), .SAXIHP0BREADY(1'b1),
      .SAXIHP1ARVALID(arvalid[ACC]), .SAXIHP1ARREADY(arready[ACC]), .SAXIHP1ARADDR(araddr[ACC]),
      .SAXIHP1ARLEN(arlen[ACC]), .SAXIHP1RVALID(rvalid[ACC]), .SAXIHP1RREADY(rready[ACC]),
      .SAXIHP1RDATA(rdata[ACC]), .SAXIHP1RRESP(rresp[ACC]), .SAXIHP1RLAST(rlast[ACC]),
      .SAXIHP1ARID(ID), .SAXIHP1ARSIZE(SIZE), .SAXIHP1ARBURST(BURST), .SAXIHP1ARLOCK(LOCK),
      .SAXIHP1ARCACHE(CACHE), .SAXIHP1ARPROT(PROT), .SAXIHP1ARQOS(QOS), .SAXIHP1AWVALID(awvalid),
      .SAXIHP1AWREADY(awready), .SAXIHP1AWADDR(awaddr), .SAXIHP1AWLEN(awlen),
      .SAXIHP1WVALID(wvalid), .SAXIHP1WREADY(wready), .SAXIHP1WDATA(wdata), .SAXIHP1WSTRB(wstrb),
      .SAXIHP1WLAST(wlast), .SAXIHP1BVALID(bvalid), .SAXIHP1BREADY(bready), .SAXIHP1BRESP(bresp),
      .SAXIHP1AWID(ID), .SAXIHP1AWSIZE(SIZE), .SAXIHP1AWBURST(BURST), .SAXIHP1AWLOCK(LOCK),
      .SAXIHP1AWCACHE(CACHE), .SAXIHP1AWPROT(PROT), .SAXIHP1AWQOS(QOS), .SAXIHP1WID(ID),
      .SAXIHP2ARVALID(arvalid[UOP]), .SAXIHP2ARREADY(arready[UOP]), .SAXIHP2ARADDR(araddr[UOP]),
      .SAXIHP2ARLEN(arlen[UOP]), .SAXIHP2RVALID(rvalid[UOP]), .SAXIHP2RREADY(rready[UOP]),
      .SAXIHP2RDATA(rdata[UOP]), .SAXIHP2RRESP(rresp[UOP]), .SAXIHP2RLAST(rlast[UOP]),
      .SAXIHP2ARID(ID), .SAXIHP2ARSIZE(SIZE), .SAXIHP2ARBURST(BURST), .SAXIHP2ARLOCK(LOCK),
      .SAXIHP2ARCACHE(CACHE), .SAXIHP2ARPROT(PROT), .SAXIHP2ARQOS(QOS), .SAXIHP2AWVALID(1'b0),
      .SAXIHP2WVALID(1'b0), .SAXIHP2BREADY(1'b1),
      .SAXIHP3ARVALID(arvalid[FETCH]), .SAXIHP3ARREADY(arready[FETCH]),
      .SAXIHP3ARADDR(araddr[FETCH]), .SAXIHP3ARLEN(arlen[FETCH]), .SAXIHP3RVALID(rvalid[FETCH]),
      .SAXIHP3RREADY(rready[FETCH]), .SAXIHP3RDATA(rdata[FETCH]), .SAXIHP3RRESP(rresp[FETCH]),
      .SAXIHP3RLAST(rlast[FETCH]), .SAXIHP3ARID(ID), .SAXIHP3ARSIZE(SIZE), .SAXIHP3ARBURST(BURST),
      .SAXIHP3ARLOCK(LOCK), .SAXIHP3ARCACHE(CACHE), .SAXIHP3ARPROT(PROT), .SAXIHP3ARQOS(QOS),
      .SAXIHP3AWVALID(1'b0), .SAXIHP3WVALID(1'b0), .SAXIHP3BREADY(1'b1)
  );

  // The processing system has more clocks.
  wire unused = &{1'b0, fclk[3:1], fclk_resetn[3:1]};
endmodule
