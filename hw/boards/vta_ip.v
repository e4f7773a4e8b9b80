// SPDX-License-Identifier: Apache-2.0
//
// vta_top for Vivado's packager: plain Verilog, because the packager does not accept a SystemVerilog
// top, with named interfaces, and without IDs, which are all 0.
module vta_ip #(
    parameter EXTENSION = 1,
    parameter CLOCK_HZ  = 100000000
) (
    (* X_INTERFACE_PARAMETER = "XIL_INTERFACENAME aclk, ASSOCIATED_RESET aresetn, ASSOCIATED_BUSIF s_axi:m_axi_fetch:m_axi_load:m_axi_uop:m_axi_acc:m_axi_store" *)
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
    input wire aclk,
    (* X_INTERFACE_PARAMETER = "XIL_INTERFACENAME aresetn, POLARITY ACTIVE_LOW" *)
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
    input wire aresetn,
    (* X_INTERFACE_PARAMETER = "XIL_INTERFACENAME s_axi, PROTOCOL AXI4LITE, DATA_WIDTH 32, ADDR_WIDTH 12, HAS_BURST 0, HAS_LOCK 0, HAS_PROT 0, HAS_CACHE 0, HAS_QOS 0, HAS_REGION 0" *)
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWADDR" *)
    input wire [11:0] s_axi_awaddr,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWVALID" *)
    input wire s_axi_awvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWREADY" *)
    output wire s_axi_awready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WDATA" *)
    input wire [31:0] s_axi_wdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WSTRB" *)
    input wire [3:0] s_axi_wstrb,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WVALID" *)
    input wire s_axi_wvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WREADY" *)
    output wire s_axi_wready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BRESP" *)
    output wire [1:0] s_axi_bresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BVALID" *)
    output wire s_axi_bvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BREADY" *)
    input wire s_axi_bready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARADDR" *)
    input wire [11:0] s_axi_araddr,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARVALID" *)
    input wire s_axi_arvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARREADY" *)
    output wire s_axi_arready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RDATA" *)
    output wire [31:0] s_axi_rdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RRESP" *)
    output wire [1:0] s_axi_rresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RVALID" *)
    output wire s_axi_rvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RREADY" *)
    input wire s_axi_rready,
    (* X_INTERFACE_PARAMETER = "XIL_INTERFACENAME irq, SENSITIVITY LEVEL_HIGH" *)
    (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 irq INTERRUPT" *)
    output wire irq,
    (* X_INTERFACE_PARAMETER = "XIL_INTERFACENAME m_axi_fetch, PROTOCOL AXI3, DATA_WIDTH 64, ADDR_WIDTH 32, ID_WIDTH 0, READ_WRITE_MODE READ_ONLY, MAX_BURST_LENGTH 16, NUM_READ_OUTSTANDING 8, HAS_REGION 0" *)
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARADDR" *)
    output wire [31:0] m_axi_fetch_araddr,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARLEN" *)
    output wire [3:0] m_axi_fetch_arlen,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARSIZE" *)
    output wire [2:0] m_axi_fetch_arsize,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARBURST" *)
    output wire [1:0] m_axi_fetch_arburst,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARLOCK" *)
    output wire [1:0] m_axi_fetch_arlock,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARCACHE" *)
    output wire [3:0] m_axi_fetch_arcache,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARPROT" *)
    output wire [2:0] m_axi_fetch_arprot,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARQOS" *)
    output wire [3:0] m_axi_fetch_arqos,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARVALID" *)
    output wire m_axi_fetch_arvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARREADY" *)
    input wire m_axi_fetch_arready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch RDATA" *)
    input wire [63:0] m_axi_fetch_rdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch RRESP" *)
    input wire [1:0] m_axi_fetch_rresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch RLAST" *)
    input wire m_axi_fetch_rlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch RVALID" *)
    input wire m_axi_fetch_rvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch RREADY" *)
    output wire m_axi_fetch_rready,
    (* X_INTERFACE_PARAMETER = "XIL_INTERFACENAME m_axi_load, PROTOCOL AXI3, DATA_WIDTH 64, ADDR_WIDTH 32, ID_WIDTH 0, READ_WRITE_MODE READ_ONLY, MAX_BURST_LENGTH 16, NUM_READ_OUTSTANDING 8, HAS_REGION 0" *)
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARADDR" *)
    output wire [31:0] m_axi_load_araddr,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARLEN" *)
    output wire [3:0] m_axi_load_arlen,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARSIZE" *)
    output wire [2:0] m_axi_load_arsize,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARBURST" *)
    output wire [1:0] m_axi_load_arburst,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARLOCK" *)
    output wire [1:0] m_axi_load_arlock,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARCACHE" *)
    output wire [3:0] m_axi_load_arcache,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARPROT" *)
    output wire [2:0] m_axi_load_arprot,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARQOS" *)
    output wire [3:0] m_axi_load_arqos,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARVALID" *)
    output wire m_axi_load_arvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARREADY" *)
    input wire m_axi_load_arready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load RDATA" *)
    input wire [63:0] m_axi_load_rdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load RRESP" *)
    input wire [1:0] m_axi_load_rresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load RLAST" *)
    input wire m_axi_load_rlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load RVALID" *)
    input wire m_axi_load_rvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load RREADY" *)
    output wire m_axi_load_rready,
    (* X_INTERFACE_PARAMETER = "XIL_INTERFACENAME m_axi_uop, PROTOCOL AXI3, DATA_WIDTH 64, ADDR_WIDTH 32, ID_WIDTH 0, READ_WRITE_MODE READ_ONLY, MAX_BURST_LENGTH 16, NUM_READ_OUTSTANDING 8, HAS_REGION 0" *)
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop ARADDR" *)
    output wire [31:0] m_axi_uop_araddr,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop ARLEN" *)
    output wire [3:0] m_axi_uop_arlen,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop ARSIZE" *)
    output wire [2:0] m_axi_uop_arsize,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop ARBURST" *)
    output wire [1:0] m_axi_uop_arburst,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop ARLOCK" *)
    output wire [1:0] m_axi_uop_arlock,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop ARCACHE" *)
    output wire [3:0] m_axi_uop_arcache,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop ARPROT" *)
    output wire [2:0] m_axi_uop_arprot,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop ARQOS" *)
    output wire [3:0] m_axi_uop_arqos,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop ARVALID" *)
    output wire m_axi_uop_arvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop ARREADY" *)
    input wire m_axi_uop_arready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop RDATA" *)
    input wire [63:0] m_axi_uop_rdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop RRESP" *)
    input wire [1:0] m_axi_uop_rresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop RLAST" *)
    input wire m_axi_uop_rlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop RVALID" *)
    input wire m_axi_uop_rvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_uop RREADY" *)
    output wire m_axi_uop_rready,
    (* X_INTERFACE_PARAMETER = "XIL_INTERFACENAME m_axi_acc, PROTOCOL AXI3, DATA_WIDTH 64, ADDR_WIDTH 32, ID_WIDTH 0, READ_WRITE_MODE READ_ONLY, MAX_BURST_LENGTH 16, NUM_READ_OUTSTANDING 8, HAS_REGION 0" *)
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc ARADDR" *)
    output wire [31:0] m_axi_acc_araddr,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc ARLEN" *)
    output wire [3:0] m_axi_acc_arlen,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc ARSIZE" *)
    output wire [2:0] m_axi_acc_arsize,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc ARBURST" *)
    output wire [1:0] m_axi_acc_arburst,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc ARLOCK" *)
    output wire [1:0] m_axi_acc_arlock,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc ARCACHE" *)
    output wire [3:0] m_axi_acc_arcache,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc ARPROT" *)
    output wire [2:0] m_axi_acc_arprot,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc ARQOS" *)
    output wire [3:0] m_axi_acc_arqos,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc ARVALID" *)
    output wire m_axi_acc_arvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc ARREADY" *)
    input wire m_axi_acc_arready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc RDATA" *)
    input wire [63:0] m_axi_acc_rdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc RRESP" *)
    input wire [1:0] m_axi_acc_rresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc RLAST" *)
    input wire m_axi_acc_rlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc RVALID" *)
    input wire m_axi_acc_rvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_acc RREADY" *)
    output wire m_axi_acc_rready,
    (* X_INTERFACE_PARAMETER = "XIL_INTERFACENAME m_axi_store, PROTOCOL AXI3, DATA_WIDTH 64, ADDR_WIDTH 32, ID_WIDTH 0, READ_WRITE_MODE WRITE_ONLY, MAX_BURST_LENGTH 16, NUM_WRITE_OUTSTANDING 8, HAS_REGION 0" *)
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWADDR" *)
    output wire [31:0] m_axi_store_awaddr,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWLEN" *)
    output wire [3:0] m_axi_store_awlen,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWSIZE" *)
    output wire [2:0] m_axi_store_awsize,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWBURST" *)
    output wire [1:0] m_axi_store_awburst,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWLOCK" *)
    output wire [1:0] m_axi_store_awlock,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWCACHE" *)
    output wire [3:0] m_axi_store_awcache,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWPROT" *)
    output wire [2:0] m_axi_store_awprot,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWQOS" *)
    output wire [3:0] m_axi_store_awqos,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWVALID" *)
    output wire m_axi_store_awvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWREADY" *)
    input wire m_axi_store_awready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store WDATA" *)
    output wire [63:0] m_axi_store_wdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store WSTRB" *)
    output wire [7:0] m_axi_store_wstrb,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store WLAST" *)
    output wire m_axi_store_wlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store WVALID" *)
    output wire m_axi_store_wvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store WREADY" *)
    input wire m_axi_store_wready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store BRESP" *)
    input wire [1:0] m_axi_store_bresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store BVALID" *)
    input wire m_axi_store_bvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store BREADY" *)
    output wire m_axi_store_bready
);
  /* verilator lint_off PINCONNECTEMPTY */
  vta_top #(
      .EXTENSION(EXTENSION),
      .CLOCK_HZ(CLOCK_HZ),
      .ID_BITS(1)
  ) top (
      .aclk(aclk),
      .aresetn(aresetn),
      .s_axi_awaddr(s_axi_awaddr),
      .s_axi_awvalid(s_axi_awvalid),
      .s_axi_awready(s_axi_awready),
      .s_axi_wdata(s_axi_wdata),
      .s_axi_wstrb(s_axi_wstrb),
      .s_axi_wvalid(s_axi_wvalid),
      .s_axi_wready(s_axi_wready),
      .s_axi_bresp(s_axi_bresp),
      .s_axi_bvalid(s_axi_bvalid),
      .s_axi_bready(s_axi_bready),
      .s_axi_araddr(s_axi_araddr),
      .s_axi_arvalid(s_axi_arvalid),
      .s_axi_arready(s_axi_arready),
      .s_axi_rdata(s_axi_rdata),
      .s_axi_rresp(s_axi_rresp),
      .s_axi_rvalid(s_axi_rvalid),
      .s_axi_rready(s_axi_rready),
      .irq(irq),
      .m_axi_fetch_arid(),
      .m_axi_fetch_araddr(m_axi_fetch_araddr),
      .m_axi_fetch_arlen(m_axi_fetch_arlen),
      .m_axi_fetch_arsize(m_axi_fetch_arsize),
      .m_axi_fetch_arburst(m_axi_fetch_arburst),
      .m_axi_fetch_arlock(m_axi_fetch_arlock),
      .m_axi_fetch_arcache(m_axi_fetch_arcache),
      .m_axi_fetch_arprot(m_axi_fetch_arprot),
      .m_axi_fetch_arqos(m_axi_fetch_arqos),
      .m_axi_fetch_arvalid(m_axi_fetch_arvalid),
      .m_axi_fetch_arready(m_axi_fetch_arready),
      .m_axi_fetch_rid(1'b0),
      .m_axi_fetch_rdata(m_axi_fetch_rdata),
      .m_axi_fetch_rresp(m_axi_fetch_rresp),
      .m_axi_fetch_rlast(m_axi_fetch_rlast),
      .m_axi_fetch_rvalid(m_axi_fetch_rvalid),
      .m_axi_fetch_rready(m_axi_fetch_rready),
      .m_axi_load_arid(),
      .m_axi_load_araddr(m_axi_load_araddr),
      .m_axi_load_arlen(m_axi_load_arlen),
      .m_axi_load_arsize(m_axi_load_arsize),
      .m_axi_load_arburst(m_axi_load_arburst),
      .m_axi_load_arlock(m_axi_load_arlock),
      .m_axi_load_arcache(m_axi_load_arcache),
      .m_axi_load_arprot(m_axi_load_arprot),
      .m_axi_load_arqos(m_axi_load_arqos),
      .m_axi_load_arvalid(m_axi_load_arvalid),
      .m_axi_load_arready(m_axi_load_arready),
      .m_axi_load_rid(1'b0),
      .m_axi_load_rdata(m_axi_load_rdata),
      .m_axi_load_rresp(m_axi_load_rresp),
      .m_axi_load_rlast(m_axi_load_rlast),
      .m_axi_load_rvalid(m_axi_load_rvalid),
      .m_axi_load_rready(m_axi_load_rready),
      .m_axi_uop_arid(),
      .m_axi_uop_araddr(m_axi_uop_araddr),
      .m_axi_uop_arlen(m_axi_uop_arlen),
      .m_axi_uop_arsize(m_axi_uop_arsize),
      .m_axi_uop_arburst(m_axi_uop_arburst),
      .m_axi_uop_arlock(m_axi_uop_arlock),
      .m_axi_uop_arcache(m_axi_uop_arcache),
      .m_axi_uop_arprot(m_axi_uop_arprot),
      .m_axi_uop_arqos(m_axi_uop_arqos),
      .m_axi_uop_arvalid(m_axi_uop_arvalid),
      .m_axi_uop_arready(m_axi_uop_arready),
      .m_axi_uop_rid(1'b0),
      .m_axi_uop_rdata(m_axi_uop_rdata),
      .m_axi_uop_rresp(m_axi_uop_rresp),
      .m_axi_uop_rlast(m_axi_uop_rlast),
      .m_axi_uop_rvalid(m_axi_uop_rvalid),
      .m_axi_uop_rready(m_axi_uop_rready),
      .m_axi_acc_arid(),
      .m_axi_acc_araddr(m_axi_acc_araddr),
      .m_axi_acc_arlen(m_axi_acc_arlen),
      .m_axi_acc_arsize(m_axi_acc_arsize),
      .m_axi_acc_arburst(m_axi_acc_arburst),
      .m_axi_acc_arlock(m_axi_acc_arlock),
      .m_axi_acc_arcache(m_axi_acc_arcache),
      .m_axi_acc_arprot(m_axi_acc_arprot),
      .m_axi_acc_arqos(m_axi_acc_arqos),
      .m_axi_acc_arvalid(m_axi_acc_arvalid),
      .m_axi_acc_arready(m_axi_acc_arready),
      .m_axi_acc_rid(1'b0),
      .m_axi_acc_rdata(m_axi_acc_rdata),
      .m_axi_acc_rresp(m_axi_acc_rresp),
      .m_axi_acc_rlast(m_axi_acc_rlast),
      .m_axi_acc_rvalid(m_axi_acc_rvalid),
      .m_axi_acc_rready(m_axi_acc_rready),
      .m_axi_store_awid(),
      .m_axi_store_awaddr(m_axi_store_awaddr),
      .m_axi_store_awlen(m_axi_store_awlen),
      .m_axi_store_awsize(m_axi_store_awsize),
      .m_axi_store_awburst(m_axi_store_awburst),
      .m_axi_store_awlock(m_axi_store_awlock),
      .m_axi_store_awcache(m_axi_store_awcache),
      .m_axi_store_awprot(m_axi_store_awprot),
      .m_axi_store_awqos(m_axi_store_awqos),
      .m_axi_store_awvalid(m_axi_store_awvalid),
      .m_axi_store_awready(m_axi_store_awready),
      .m_axi_store_wid(),
      .m_axi_store_wdata(m_axi_store_wdata),
      .m_axi_store_wstrb(m_axi_store_wstrb),
      .m_axi_store_wlast(m_axi_store_wlast),
      .m_axi_store_wvalid(m_axi_store_wvalid),
      .m_axi_store_wready(m_axi_store_wready),
      .m_axi_store_bid(1'b0),
      .m_axi_store_bresp(m_axi_store_bresp),
      .m_axi_store_bvalid(m_axi_store_bvalid),
      .m_axi_store_bready(m_axi_store_bready)
  );
  /* verilator lint_on PINCONNECTEMPTY */
endmodule
