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

  // HP0 to HP3: DRAM.
  wire [5:0] load_arid, load_rid;
  wire [31:0] load_araddr;
  wire [3:0] load_arlen, load_arcache, load_arqos;
  wire [2:0] load_arsize, load_arprot;
  wire [1:0] load_arburst, load_arlock, load_rresp;
  wire [63:0] load_rdata;
  wire load_arvalid, load_arready, load_rlast, load_rvalid, load_rready;
  wire [5:0] acc_arid, acc_rid;
  wire [31:0] acc_araddr;
  wire [3:0] acc_arlen, acc_arcache, acc_arqos;
  wire [2:0] acc_arsize, acc_arprot;
  wire [1:0] acc_arburst, acc_arlock, acc_rresp;
  wire [63:0] acc_rdata;
  wire acc_arvalid, acc_arready, acc_rlast, acc_rvalid, acc_rready;
  wire [5:0] uop_arid, uop_rid;
  wire [31:0] uop_araddr;
  wire [3:0] uop_arlen, uop_arcache, uop_arqos;
  wire [2:0] uop_arsize, uop_arprot;
  wire [1:0] uop_arburst, uop_arlock, uop_rresp;
  wire [63:0] uop_rdata;
  wire uop_arvalid, uop_arready, uop_rlast, uop_rvalid, uop_rready;
  wire [5:0] fetch_arid, fetch_rid;
  wire [31:0] fetch_araddr;
  wire [3:0] fetch_arlen, fetch_arcache, fetch_arqos;
  wire [2:0] fetch_arsize, fetch_arprot;
  wire [1:0] fetch_arburst, fetch_arlock, fetch_rresp;
  wire [63:0] fetch_rdata;
  wire fetch_arvalid, fetch_arready, fetch_rlast, fetch_rvalid, fetch_rready;
  wire [5:0] store_awid, store_wid, store_bid;
  wire [31:0] store_awaddr;
  wire [3:0] store_awlen, store_awcache, store_awqos;
  wire [2:0] store_awsize, store_awprot;
  wire [1:0] store_awburst, store_awlock, store_bresp;
  wire [63:0] store_wdata;
  wire [7:0] store_wstrb;
  wire store_awvalid, store_awready, store_wlast, store_wvalid, store_wready, store_bvalid;
  wire store_bready;

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
      .s_axi_rvalid(lite_rvalid), .s_axi_rready(lite_rready), .m_axi_fetch_arid(fetch_arid),
      .m_axi_fetch_araddr(fetch_araddr), .m_axi_fetch_arlen(fetch_arlen),
      .m_axi_fetch_arsize(fetch_arsize), .m_axi_fetch_arburst(fetch_arburst),
      .m_axi_fetch_arlock(fetch_arlock), .m_axi_fetch_arcache(fetch_arcache),
      .m_axi_fetch_arprot(fetch_arprot), .m_axi_fetch_arqos(fetch_arqos),
      .m_axi_fetch_arvalid(fetch_arvalid), .m_axi_fetch_arready(fetch_arready),
      .m_axi_fetch_rid(fetch_rid), .m_axi_fetch_rdata(fetch_rdata),
      .m_axi_fetch_rresp(fetch_rresp), .m_axi_fetch_rlast(fetch_rlast),
      .m_axi_fetch_rvalid(fetch_rvalid), .m_axi_fetch_rready(fetch_rready),
      .m_axi_load_arid(load_arid),
      .m_axi_load_araddr(load_araddr), .m_axi_load_arlen(load_arlen),
      .m_axi_load_arsize(load_arsize), .m_axi_load_arburst(load_arburst),
      .m_axi_load_arlock(load_arlock), .m_axi_load_arcache(load_arcache),
      .m_axi_load_arprot(load_arprot), .m_axi_load_arqos(load_arqos),
      .m_axi_load_arvalid(load_arvalid), .m_axi_load_arready(load_arready),
      .m_axi_load_rid(load_rid), .m_axi_load_rdata(load_rdata), .m_axi_load_rresp(load_rresp),
      .m_axi_load_rlast(load_rlast), .m_axi_load_rvalid(load_rvalid),
      .m_axi_load_rready(load_rready), .m_axi_uop_arid(uop_arid), .m_axi_uop_araddr(uop_araddr),
      .m_axi_uop_arlen(uop_arlen), .m_axi_uop_arsize(uop_arsize), .m_axi_uop_arburst(uop_arburst),
      .m_axi_uop_arlock(uop_arlock), .m_axi_uop_arcache(uop_arcache),
      .m_axi_uop_arprot(uop_arprot), .m_axi_uop_arqos(uop_arqos), .m_axi_uop_arvalid(uop_arvalid),
      .m_axi_uop_arready(uop_arready), .m_axi_uop_rid(uop_rid), .m_axi_uop_rdata(uop_rdata),
      .m_axi_uop_rresp(uop_rresp), .m_axi_uop_rlast(uop_rlast), .m_axi_uop_rvalid(uop_rvalid),
      .m_axi_uop_rready(uop_rready), .m_axi_acc_arid(acc_arid), .m_axi_acc_araddr(acc_araddr),
      .m_axi_acc_arlen(acc_arlen), .m_axi_acc_arsize(acc_arsize), .m_axi_acc_arburst(acc_arburst),
      .m_axi_acc_arlock(acc_arlock), .m_axi_acc_arcache(acc_arcache),
      .m_axi_acc_arprot(acc_arprot), .m_axi_acc_arqos(acc_arqos), .m_axi_acc_arvalid(acc_arvalid),
      .m_axi_acc_arready(acc_arready), .m_axi_acc_rid(acc_rid), .m_axi_acc_rdata(acc_rdata),
      .m_axi_acc_rresp(acc_rresp), .m_axi_acc_rlast(acc_rlast), .m_axi_acc_rvalid(acc_rvalid),
      .m_axi_acc_rready(acc_rready), .m_axi_store_awid(store_awid),
      .m_axi_store_awaddr(store_awaddr),
      .m_axi_store_awlen(store_awlen), .m_axi_store_awsize(store_awsize),
      .m_axi_store_awburst(store_awburst), .m_axi_store_awlock(store_awlock),
      .m_axi_store_awcache(store_awcache), .m_axi_store_awprot(store_awprot),
      .m_axi_store_awqos(store_awqos), .m_axi_store_awvalid(store_awvalid),
      .m_axi_store_awready(store_awready), .m_axi_store_wid(store_wid),
      .m_axi_store_wdata(store_wdata),
      .m_axi_store_wstrb(store_wstrb), .m_axi_store_wlast(store_wlast),
      .m_axi_store_wvalid(store_wvalid), .m_axi_store_wready(store_wready),
      .m_axi_store_bid(store_bid), .m_axi_store_bresp(store_bresp),
      .m_axi_store_bvalid(store_bvalid), .m_axi_store_bready(store_bready)
  );

  // Inputs of the processing system that are not connected here are 0.
  PS7 ps7 (
      .FCLKCLK(fclk), .FCLKRESETN(fclk_resetn), .IRQF2P({19'd0, irq}),
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
      .SAXIHP0ARID(load_arid), .SAXIHP0ARADDR(load_araddr), .SAXIHP0ARLEN(load_arlen),
      .SAXIHP0ARSIZE(load_arsize[1:0]), .SAXIHP0ARBURST(load_arburst), .SAXIHP0ARLOCK(load_arlock),
      .SAXIHP0ARCACHE(load_arcache), .SAXIHP0ARPROT(load_arprot), .SAXIHP0ARQOS(load_arqos),
      .SAXIHP0ARVALID(load_arvalid), .SAXIHP0ARREADY(load_arready), .SAXIHP0RID(load_rid),
      .SAXIHP0RDATA(load_rdata), .SAXIHP0RRESP(load_rresp), .SAXIHP0RLAST(load_rlast),
      .SAXIHP0RVALID(load_rvalid), .SAXIHP0RREADY(load_rready),
      .SAXIHP0AWVALID(1'b0), .SAXIHP0WVALID(1'b0), .SAXIHP0BREADY(1'b1),
      .SAXIHP1ARID(acc_arid), .SAXIHP1ARADDR(acc_araddr), .SAXIHP1ARLEN(acc_arlen),
      .SAXIHP1ARSIZE(acc_arsize[1:0]), .SAXIHP1ARBURST(acc_arburst), .SAXIHP1ARLOCK(acc_arlock),
      .SAXIHP1ARCACHE(acc_arcache), .SAXIHP1ARPROT(acc_arprot), .SAXIHP1ARQOS(acc_arqos),
      .SAXIHP1ARVALID(acc_arvalid), .SAXIHP1ARREADY(acc_arready), .SAXIHP1RID(acc_rid),
      .SAXIHP1RDATA(acc_rdata), .SAXIHP1RRESP(acc_rresp), .SAXIHP1RLAST(acc_rlast),
      .SAXIHP1RVALID(acc_rvalid), .SAXIHP1RREADY(acc_rready),
      .SAXIHP1AWID(store_awid), .SAXIHP1AWADDR(store_awaddr), .SAXIHP1AWLEN(store_awlen),
      .SAXIHP1AWSIZE(store_awsize[1:0]), .SAXIHP1AWBURST(store_awburst),
      .SAXIHP1AWLOCK(store_awlock),
      .SAXIHP1AWCACHE(store_awcache), .SAXIHP1AWPROT(store_awprot), .SAXIHP1AWQOS(store_awqos),
      .SAXIHP1AWVALID(store_awvalid), .SAXIHP1AWREADY(store_awready), .SAXIHP1WID(store_wid),
      .SAXIHP1WDATA(store_wdata), .SAXIHP1WSTRB(store_wstrb), .SAXIHP1WLAST(store_wlast),
      .SAXIHP1WVALID(store_wvalid), .SAXIHP1WREADY(store_wready), .SAXIHP1BID(store_bid),
      .SAXIHP1BRESP(store_bresp), .SAXIHP1BVALID(store_bvalid), .SAXIHP1BREADY(store_bready),
      .SAXIHP2ARID(uop_arid), .SAXIHP2ARADDR(uop_araddr), .SAXIHP2ARLEN(uop_arlen),
      .SAXIHP2ARSIZE(uop_arsize[1:0]), .SAXIHP2ARBURST(uop_arburst), .SAXIHP2ARLOCK(uop_arlock),
      .SAXIHP2ARCACHE(uop_arcache), .SAXIHP2ARPROT(uop_arprot), .SAXIHP2ARQOS(uop_arqos),
      .SAXIHP2ARVALID(uop_arvalid), .SAXIHP2ARREADY(uop_arready), .SAXIHP2RID(uop_rid),
      .SAXIHP2RDATA(uop_rdata), .SAXIHP2RRESP(uop_rresp), .SAXIHP2RLAST(uop_rlast),
      .SAXIHP2RVALID(uop_rvalid), .SAXIHP2RREADY(uop_rready),
      .SAXIHP2AWVALID(1'b0), .SAXIHP2WVALID(1'b0), .SAXIHP2BREADY(1'b1),
      .SAXIHP3ARID(fetch_arid), .SAXIHP3ARADDR(fetch_araddr), .SAXIHP3ARLEN(fetch_arlen),
      .SAXIHP3ARSIZE(fetch_arsize[1:0]), .SAXIHP3ARBURST(fetch_arburst),
      .SAXIHP3ARLOCK(fetch_arlock),
      .SAXIHP3ARCACHE(fetch_arcache), .SAXIHP3ARPROT(fetch_arprot), .SAXIHP3ARQOS(fetch_arqos),
      .SAXIHP3ARVALID(fetch_arvalid), .SAXIHP3ARREADY(fetch_arready), .SAXIHP3RID(fetch_rid),
      .SAXIHP3RDATA(fetch_rdata), .SAXIHP3RRESP(fetch_rresp), .SAXIHP3RLAST(fetch_rlast),
      .SAXIHP3RVALID(fetch_rvalid), .SAXIHP3RREADY(fetch_rready),
      .SAXIHP3AWVALID(1'b0), .SAXIHP3WVALID(1'b0), .SAXIHP3BREADY(1'b1)
  );

  // The processing system has more clocks, and transfer sizes of 2 bits.
  wire unused = &{
    1'b0, fclk[3:1], fclk_resetn[3:1], load_arsize[2], acc_arsize[2], uop_arsize[2],
    fetch_arsize[2], store_awsize[2]
  };
endmodule
