// SPDX-License-Identifier: Apache-2.0
//
// The core with a bus: its control registers are an AXI4-Lite slave (register map:
// hw/rtl/registers/README.md), its DRAM ports five 64-bit AXI3 masters. vta_zynq_top connects them
// to a Zynq's processing system, each to channels of its own. vta_core_pkg holds the core's
// configuration.
module vta_top #(
    parameter EXTENSION = 1,
    parameter CLOCK_HZ  = 100_000_000,
    parameter ID_BITS   = 6             // width of the masters' IDs, which are all 0
) (
    input wire aclk,
    input wire aresetn,
    input wire [11:0] s_axi_awaddr,
    input wire s_axi_awvalid,
    output wire s_axi_awready,
    input wire [31:0] s_axi_wdata,
    input wire [3:0] s_axi_wstrb,
    input wire s_axi_wvalid,
    output wire s_axi_wready,
    output wire [1:0] s_axi_bresp,
    output wire s_axi_bvalid,
    input wire s_axi_bready,
    input wire [11:0] s_axi_araddr,
    input wire s_axi_arvalid,
    output wire s_axi_arready,
    output wire [31:0] s_axi_rdata,
    output wire [1:0] s_axi_rresp,
    output wire s_axi_rvalid,
    input wire s_axi_rready,
    output wire irq,
    output wire [ID_BITS-1:0] m_axi_fetch_arid,
    output wire [31:0] m_axi_fetch_araddr,
    output wire [3:0] m_axi_fetch_arlen,
    output wire [2:0] m_axi_fetch_arsize,
    output wire [1:0] m_axi_fetch_arburst,
    output wire [1:0] m_axi_fetch_arlock,
    output wire [3:0] m_axi_fetch_arcache,
    output wire [2:0] m_axi_fetch_arprot,
    output wire [3:0] m_axi_fetch_arqos,
    output wire m_axi_fetch_arvalid,
    input wire m_axi_fetch_arready,
    input wire [ID_BITS-1:0] m_axi_fetch_rid,
    input wire [63:0] m_axi_fetch_rdata,
    input wire [1:0] m_axi_fetch_rresp,
    input wire m_axi_fetch_rlast,
    input wire m_axi_fetch_rvalid,
    output wire m_axi_fetch_rready,
    output wire [ID_BITS-1:0] m_axi_load_arid,
    output wire [31:0] m_axi_load_araddr,
    output wire [3:0] m_axi_load_arlen,
    output wire [2:0] m_axi_load_arsize,
    output wire [1:0] m_axi_load_arburst,
    output wire [1:0] m_axi_load_arlock,
    output wire [3:0] m_axi_load_arcache,
    output wire [2:0] m_axi_load_arprot,
    output wire [3:0] m_axi_load_arqos,
    output wire m_axi_load_arvalid,
    input wire m_axi_load_arready,
    input wire [ID_BITS-1:0] m_axi_load_rid,
    input wire [63:0] m_axi_load_rdata,
    input wire [1:0] m_axi_load_rresp,
    input wire m_axi_load_rlast,
    input wire m_axi_load_rvalid,
    output wire m_axi_load_rready,
    output wire [ID_BITS-1:0] m_axi_uop_arid,
    output wire [31:0] m_axi_uop_araddr,
    output wire [3:0] m_axi_uop_arlen,
    output wire [2:0] m_axi_uop_arsize,
    output wire [1:0] m_axi_uop_arburst,
    output wire [1:0] m_axi_uop_arlock,
    output wire [3:0] m_axi_uop_arcache,
    output wire [2:0] m_axi_uop_arprot,
    output wire [3:0] m_axi_uop_arqos,
    output wire m_axi_uop_arvalid,
    input wire m_axi_uop_arready,
    input wire [ID_BITS-1:0] m_axi_uop_rid,
    input wire [63:0] m_axi_uop_rdata,
    input wire [1:0] m_axi_uop_rresp,
    input wire m_axi_uop_rlast,
    input wire m_axi_uop_rvalid,
    output wire m_axi_uop_rready,
    output wire [ID_BITS-1:0] m_axi_acc_arid,
    output wire [31:0] m_axi_acc_araddr,
    output wire [3:0] m_axi_acc_arlen,
    output wire [2:0] m_axi_acc_arsize,
    output wire [1:0] m_axi_acc_arburst,
    output wire [1:0] m_axi_acc_arlock,
    output wire [3:0] m_axi_acc_arcache,
    output wire [2:0] m_axi_acc_arprot,
    output wire [3:0] m_axi_acc_arqos,
    output wire m_axi_acc_arvalid,
    input wire m_axi_acc_arready,
    input wire [ID_BITS-1:0] m_axi_acc_rid,
    input wire [63:0] m_axi_acc_rdata,
    input wire [1:0] m_axi_acc_rresp,
    input wire m_axi_acc_rlast,
    input wire m_axi_acc_rvalid,
    output wire m_axi_acc_rready,
    output wire [ID_BITS-1:0] m_axi_store_awid,
    output wire [31:0] m_axi_store_awaddr,
    output wire [3:0] m_axi_store_awlen,
    output wire [2:0] m_axi_store_awsize,
    output wire [1:0] m_axi_store_awburst,
    output wire [1:0] m_axi_store_awlock,
    output wire [3:0] m_axi_store_awcache,
    output wire [2:0] m_axi_store_awprot,
    output wire [3:0] m_axi_store_awqos,
    output wire m_axi_store_awvalid,
    input wire m_axi_store_awready,
    output wire [ID_BITS-1:0] m_axi_store_wid,
    output wire [63:0] m_axi_store_wdata,
    output wire [7:0] m_axi_store_wstrb,
    output wire m_axi_store_wlast,
    output wire m_axi_store_wvalid,
    input wire m_axi_store_wready,
    input wire [ID_BITS-1:0] m_axi_store_bid,
    input wire [1:0] m_axi_store_bresp,
    input wire m_axi_store_bvalid,
    output wire m_axi_store_bready
);
  reg rst;
  always_ff @(posedge aclk) rst <= ~aresetn;

  wire core_reset, core_running;
  wire fetch_idle, load_idle, uop_idle, acc_idle, store_idle;
  wire bus_idle = fetch_idle & load_idle & uop_idle & acc_idle & store_idle;

  // The masters.
  wire fetch_port_arvalid, fetch_port_arready, fetch_port_rvalid, fetch_port_rready;
  wire fetch_port_rlast;
  wire [31:0] fetch_port_araddr;
  wire [7:0] fetch_port_arlen;
  wire [63:0] fetch_port_rdata;
  wire [1:0] fetch_port_rresp;
  vta_axi_read_gate #(
      .ID_BITS(ID_BITS)
  ) fetch_gate (
      .clk(aclk), .rst, .drop(core_reset), .idle(fetch_idle), .c_arvalid(fetch_port_arvalid),
      .c_arready(fetch_port_arready), .c_araddr(fetch_port_araddr), .c_arlen(fetch_port_arlen),
      .c_rvalid(fetch_port_rvalid), .c_rready(fetch_port_rready), .c_rdata(fetch_port_rdata),
      .c_rresp(fetch_port_rresp), .c_rlast(fetch_port_rlast), .arid(m_axi_fetch_arid),
      .araddr(m_axi_fetch_araddr), .arlen(m_axi_fetch_arlen), .arsize(m_axi_fetch_arsize),
      .arburst(m_axi_fetch_arburst), .arlock(m_axi_fetch_arlock), .arcache(m_axi_fetch_arcache),
      .arprot(m_axi_fetch_arprot), .arqos(m_axi_fetch_arqos), .arvalid(m_axi_fetch_arvalid),
      .arready(m_axi_fetch_arready), .rid(m_axi_fetch_rid), .rdata(m_axi_fetch_rdata),
      .rresp(m_axi_fetch_rresp), .rlast(m_axi_fetch_rlast), .rvalid(m_axi_fetch_rvalid),
      .rready(m_axi_fetch_rready)
  );

  wire load_port_arvalid, load_port_arready, load_port_rvalid, load_port_rready, load_port_rlast;
  wire [31:0] load_port_araddr;
  wire [7:0] load_port_arlen;
  wire [63:0] load_port_rdata;
  wire [1:0] load_port_rresp;
  vta_axi_read_gate #(
      .ID_BITS(ID_BITS)
  ) load_gate (
      .clk(aclk), .rst, .drop(core_reset), .idle(load_idle), .c_arvalid(load_port_arvalid),
      .c_arready(load_port_arready), .c_araddr(load_port_araddr), .c_arlen(load_port_arlen),
      .c_rvalid(load_port_rvalid), .c_rready(load_port_rready), .c_rdata(load_port_rdata),
      .c_rresp(load_port_rresp), .c_rlast(load_port_rlast), .arid(m_axi_load_arid),
      .araddr(m_axi_load_araddr), .arlen(m_axi_load_arlen), .arsize(m_axi_load_arsize),
      .arburst(m_axi_load_arburst), .arlock(m_axi_load_arlock), .arcache(m_axi_load_arcache),
      .arprot(m_axi_load_arprot), .arqos(m_axi_load_arqos), .arvalid(m_axi_load_arvalid),
      .arready(m_axi_load_arready), .rid(m_axi_load_rid), .rdata(m_axi_load_rdata),
      .rresp(m_axi_load_rresp), .rlast(m_axi_load_rlast), .rvalid(m_axi_load_rvalid),
      .rready(m_axi_load_rready)
  );

  wire uop_port_arvalid, uop_port_arready, uop_port_rvalid, uop_port_rready, uop_port_rlast;
  wire [31:0] uop_port_araddr;
  wire [7:0] uop_port_arlen;
  wire [63:0] uop_port_rdata;
  wire [1:0] uop_port_rresp;
  vta_axi_read_gate #(
      .ID_BITS(ID_BITS)
  ) uop_gate (
      .clk(aclk), .rst, .drop(core_reset), .idle(uop_idle), .c_arvalid(uop_port_arvalid),
      .c_arready(uop_port_arready), .c_araddr(uop_port_araddr), .c_arlen(uop_port_arlen),
      .c_rvalid(uop_port_rvalid), .c_rready(uop_port_rready), .c_rdata(uop_port_rdata),
      .c_rresp(uop_port_rresp), .c_rlast(uop_port_rlast), .arid(m_axi_uop_arid),
      .araddr(m_axi_uop_araddr), .arlen(m_axi_uop_arlen), .arsize(m_axi_uop_arsize),
      .arburst(m_axi_uop_arburst), .arlock(m_axi_uop_arlock), .arcache(m_axi_uop_arcache),
      .arprot(m_axi_uop_arprot), .arqos(m_axi_uop_arqos), .arvalid(m_axi_uop_arvalid),
      .arready(m_axi_uop_arready), .rid(m_axi_uop_rid), .rdata(m_axi_uop_rdata),
      .rresp(m_axi_uop_rresp), .rlast(m_axi_uop_rlast), .rvalid(m_axi_uop_rvalid),
      .rready(m_axi_uop_rready)
  );

  wire acc_port_arvalid, acc_port_arready, acc_port_rvalid, acc_port_rready, acc_port_rlast;
  wire [31:0] acc_port_araddr;
  wire [7:0] acc_port_arlen;
  wire [63:0] acc_port_rdata;
  wire [1:0] acc_port_rresp;
  vta_axi_read_gate #(
      .ID_BITS(ID_BITS)
  ) acc_gate (
      .clk(aclk), .rst, .drop(core_reset), .idle(acc_idle), .c_arvalid(acc_port_arvalid),
      .c_arready(acc_port_arready), .c_araddr(acc_port_araddr), .c_arlen(acc_port_arlen),
      .c_rvalid(acc_port_rvalid), .c_rready(acc_port_rready), .c_rdata(acc_port_rdata),
      .c_rresp(acc_port_rresp), .c_rlast(acc_port_rlast), .arid(m_axi_acc_arid),
      .araddr(m_axi_acc_araddr), .arlen(m_axi_acc_arlen), .arsize(m_axi_acc_arsize),
      .arburst(m_axi_acc_arburst), .arlock(m_axi_acc_arlock), .arcache(m_axi_acc_arcache),
      .arprot(m_axi_acc_arprot), .arqos(m_axi_acc_arqos), .arvalid(m_axi_acc_arvalid),
      .arready(m_axi_acc_arready), .rid(m_axi_acc_rid), .rdata(m_axi_acc_rdata),
      .rresp(m_axi_acc_rresp), .rlast(m_axi_acc_rlast), .rvalid(m_axi_acc_rvalid),
      .rready(m_axi_acc_rready)
  );

  wire store_port_awvalid, store_port_awready, store_port_wvalid, store_port_wready;
  wire store_port_wlast, store_port_bvalid, store_port_bready;
  wire [31:0] store_port_awaddr;
  wire [7:0] store_port_awlen;
  wire [63:0] store_port_wdata;
  wire [1:0] store_port_bresp;
  vta_axi_write_gate #(
      .ID_BITS(ID_BITS)
  ) store_gate (
      .clk(aclk), .rst, .drop(core_reset), .idle(store_idle), .c_awvalid(store_port_awvalid),
      .c_awready(store_port_awready), .c_awaddr(store_port_awaddr), .c_awlen(store_port_awlen),
      .c_wvalid(store_port_wvalid), .c_wready(store_port_wready), .c_wdata(store_port_wdata),
      .c_wlast(store_port_wlast), .c_bvalid(store_port_bvalid), .c_bready(store_port_bready),
      .c_bresp(store_port_bresp), .awid(m_axi_store_awid), .awaddr(m_axi_store_awaddr),
      .awlen(m_axi_store_awlen), .awsize(m_axi_store_awsize), .awburst(m_axi_store_awburst),
      .awlock(m_axi_store_awlock), .awcache(m_axi_store_awcache), .awprot(m_axi_store_awprot),
      .awqos(m_axi_store_awqos), .awvalid(m_axi_store_awvalid), .awready(m_axi_store_awready),
      .wid(m_axi_store_wid), .wdata(m_axi_store_wdata), .wstrb(m_axi_store_wstrb),
      .wlast(m_axi_store_wlast), .wvalid(m_axi_store_wvalid), .wready(m_axi_store_wready),
      .bid(m_axi_store_bid), .bresp(m_axi_store_bresp), .bvalid(m_axi_store_bvalid),
      .bready(m_axi_store_bready)
  );

  // The core's inputs and outputs.
  wire has_extension;
  wire [31:0] dram_base_bytes;
  wire [63:0] dram_size_bytes;
  wire [63:0] run_request_data, run_fetch_data;
  wire run_request_empty, run_request_pop, run_fetch_empty, run_fetch_pop;
  wire fetch_busy, load_busy, load_data_busy, gemm_busy, alu_busy, store_busy,
      store_write_busy;
  wire [31:0] fetch_index, load_index, load_data_index, gemm_index, alu_index, store_index,
      store_write_index;
  wire [7:0] fetch_fault, load_data_fault, gemm_fault, alu_fault, store_write_fault;
  wire [63:0] fetch_value, load_data_value, gemm_value, alu_value, store_write_value;
  wire [6:0] fetch_unused, load_unused, load_data_unused, gemm_unused, alu_unused, store_unused,
      store_write_unused;
  wire [6:0] finished_unused;
  wire finished;
  wire [31:0] finish_index;
  wire [63:0] inp_load_nbytes, wgt_load_nbytes, acc_load_nbytes, uop_load_nbytes, out_store_nbytes,
      gemm_counter, alu_counter;
  wire fetch_port_error, load_port_error, uop_port_error, acc_port_error, store_port_error;
  localparam TOKEN_BITS = $clog2(vta_core_pkg::TOKEN_QUEUE_DEPTH + 1);
  wire [TOKEN_BITS-1:0] load_to_gemm_count, gemm_to_load_count, gemm_to_alu_count,
      alu_to_gemm_count, alu_to_store_count, store_to_alu_count;
  wire fetch_request_waits_run_request, fetch_request_waits_fetch_port;
  wire fetch_ended, fetch_waits_run_fetch, fetch_waits_fetch_port, fetch_waits_load_queue,
      fetch_waits_gemm_queue, fetch_waits_alu_queue, fetch_waits_store_queue;
  wire load_request_ended, load_request_waits_load_queue, load_request_waits_gemm_to_load,
      load_request_waits_load_port, load_request_waits_load_plan;
  wire load_data_ended, load_data_waits_load_plan, load_data_waits_load_to_gemm,
      load_data_waits_load_port;
  wire uop_request_waits_uop_plan, uop_request_waits_uop_port;
  wire gemm_ended, gemm_waits_gemm_queue, gemm_waits_load_to_gemm, gemm_waits_alu_to_gemm,
      gemm_waits_gemm_to_load, gemm_waits_gemm_to_alu, gemm_waits_uop_port, gemm_waits_uop_plan;
  wire acc_request_waits_acc_plan, acc_request_waits_acc_port;
  wire alu_ended, alu_waits_alu_queue, alu_waits_gemm_to_alu, alu_waits_store_to_alu,
      alu_waits_alu_to_gemm, alu_waits_alu_to_store, alu_waits_acc_port, alu_waits_uop,
      alu_waits_acc, alu_waits_out, alu_waits_acc_plan;
  wire store_read_ended, store_read_waits_store_queue, store_read_waits_alu_to_store,
      store_read_waits_store_plan, store_read_waits_store_beats;
  wire store_write_ended, store_write_waits_store_plan, store_write_waits_store_to_alu,
      store_write_waits_store_port, store_write_waits_store_beats;

  // All registers of the core are ports, for simulators; the board does not use all of them.
  /* verilator lint_off PINMISSING */
  Core core (
      .clk(aclk), .rst(core_reset), .has_extension({7'd0, has_extension}), .dram_base_bytes,
      .dram_size_bytes, .run_request_data, .run_request_empty, .run_request_pop, .run_fetch_data,
      .run_fetch_empty, .run_fetch_pop, .fetch_status_0({fetch_unused, fetch_busy}),
      .fetch_status_1(fetch_index), .fetch_status_2(fetch_fault), .fetch_status_3(fetch_value),
      .load_status_0({load_unused, load_busy}), .load_status_1(load_index),
      .load_data_status_0({load_data_unused, load_data_busy}), .load_data_status_1(load_data_index),
      .load_data_status_2(load_data_fault), .load_data_status_3(load_data_value),
      .gemm_status_0({gemm_unused, gemm_busy}), .gemm_status_1(gemm_index),
      .gemm_status_2(gemm_fault), .gemm_status_3(gemm_value), .alu_status_0({alu_unused, alu_busy}),
      .alu_status_1(alu_index), .alu_status_2(alu_fault), .alu_status_3(alu_value),
      .store_status_0({store_unused, store_busy}), .store_status_1(store_index),
      .store_write_status_0({store_write_unused, store_write_busy}),
      .store_write_status_1(store_write_index), .store_write_status_2(store_write_fault),
      .store_write_status_3(store_write_value), .finished({finished_unused, finished}),
      .finish_index, .inp_load_nbytes, .wgt_load_nbytes, .acc_load_nbytes, .uop_load_nbytes,
      .out_store_nbytes, .gemm_counter, .alu_counter, .fetch_port_arvalid, .fetch_port_arready,
      .fetch_port_araddr, .fetch_port_arlen, .fetch_port_rvalid, .fetch_port_rready,
      .fetch_port_rdata, .fetch_port_rresp, .fetch_port_rlast, .fetch_port_error,
      .load_port_arvalid, .load_port_arready, .load_port_araddr, .load_port_arlen,
      .load_port_rvalid, .load_port_rready, .load_port_rdata, .load_port_rresp, .load_port_rlast,
      .load_port_error, .uop_port_arvalid, .uop_port_arready, .uop_port_araddr, .uop_port_arlen,
      .uop_port_rvalid, .uop_port_rready, .uop_port_rdata, .uop_port_rresp, .uop_port_rlast,
      .uop_port_error, .acc_port_arvalid, .acc_port_arready, .acc_port_araddr, .acc_port_arlen,
      .acc_port_rvalid, .acc_port_rready, .acc_port_rdata, .acc_port_rresp, .acc_port_rlast,
      .acc_port_error, .store_port_awvalid, .store_port_awready, .store_port_awaddr,
      .store_port_awlen, .store_port_wvalid, .store_port_wready, .store_port_wdata,
      .store_port_wlast, .store_port_bvalid, .store_port_bready, .store_port_bresp,
      .store_port_error, .load_to_gemm_count, .gemm_to_load_count, .gemm_to_alu_count,
      .alu_to_gemm_count, .alu_to_store_count, .store_to_alu_count,
      .fetch_request_waits_run_request, .fetch_request_waits_fetch_port, .fetch_ended,
      .fetch_waits_run_fetch, .fetch_waits_fetch_port, .fetch_waits_load_queue,
      .fetch_waits_gemm_queue, .fetch_waits_alu_queue, .fetch_waits_store_queue,
      .load_request_ended, .load_request_waits_load_queue, .load_request_waits_gemm_to_load,
      .load_request_waits_load_port, .load_request_waits_load_plan, .load_data_ended,
      .load_data_waits_load_plan, .load_data_waits_load_to_gemm, .load_data_waits_load_port,
      .uop_request_waits_uop_plan, .uop_request_waits_uop_port, .gemm_ended, .gemm_waits_gemm_queue,
      .gemm_waits_load_to_gemm, .gemm_waits_alu_to_gemm, .gemm_waits_gemm_to_load,
      .gemm_waits_gemm_to_alu, .gemm_waits_uop_port, .gemm_waits_uop_plan,
      .acc_request_waits_acc_plan, .acc_request_waits_acc_port, .alu_ended, .alu_waits_alu_queue,
      .alu_waits_gemm_to_alu, .alu_waits_store_to_alu, .alu_waits_alu_to_gemm,
      .alu_waits_alu_to_store, .alu_waits_acc_port, .alu_waits_uop, .alu_waits_acc, .alu_waits_out,
      .alu_waits_acc_plan, .store_read_ended, .store_read_waits_store_queue,
      .store_read_waits_alu_to_store, .store_read_waits_store_plan, .store_read_waits_store_beats,
      .store_write_ended, .store_write_waits_store_plan, .store_write_waits_store_to_alu,
      .store_write_waits_store_port, .store_write_waits_store_beats
  );
  /* verilator lint_on PINMISSING */

  // The end of a run.
  wire still;
  wire [5:0] load_state, gemm_state, alu_state, store_state;
  vta_core_states states (.*);
  wire asks = fetch_port_arvalid | load_port_arvalid | uop_port_arvalid | acc_port_arvalid |
      store_port_awvalid | store_port_wvalid;
  wire quiet = still & bus_idle & ~asks;
  wire [6:0] busy = {
    store_write_busy, store_busy, alu_busy, gemm_busy, load_data_busy, load_busy, fetch_busy
  };
  wire [223:0] index = {
    store_write_index, store_index, alu_index, gemm_index, load_data_index, load_index, fetch_index
  };
  wire [55:0] fault = {
    store_write_fault, 8'd0, alu_fault, gemm_fault, load_data_fault, 8'd0, fetch_fault
  };
  wire [447:0] value = {
    store_write_value, 64'd0, alu_value, gemm_value, load_data_value, 64'd0, fetch_value
  };
  wire [31:0] tokens = 32'(load_to_gemm_count) + 32'(gemm_to_load_count) + 32'(gemm_to_alu_count) +
      32'(alu_to_gemm_count) + 32'(alu_to_store_count) + 32'(store_to_alu_count);
  wire [3:0] ending_busy = {store_write_busy, alu_busy, gemm_busy, load_data_busy};
  wire [127:0] ending_index = {store_write_index, alu_index, gemm_index, load_data_index};
  wire [4:0] stage_busy;
  wire run_ended;
  wire [7:0] run_fault_code;
  wire [31:0] run_fault_index;
  wire [63:0] run_fault_value;
  wire [2:0] run_fault_stage;
  vta_run_watch watch (
      .clk(aclk),
      .*
  );

  wire [4:0] bus_error = {
    store_port_error, acc_port_error, uop_port_error, load_port_error, fetch_port_error
  };
  vta_registers #(
      .BATCH(vta_core_pkg::BATCH),
      .BLOCK_IN(vta_core_pkg::BLOCK_IN),
      .BLOCK_OUT(vta_core_pkg::BLOCK_OUT),
      .LOG2_UOP_DEPTH($clog2(vta_core_pkg::UOP_DEPTH)),
      .LOG2_INP_DEPTH($clog2(vta_core_pkg::INP_DEPTH)),
      .LOG2_WGT_DEPTH($clog2(vta_core_pkg::WGT_DEPTH)),
      .LOG2_ACC_DEPTH($clog2(vta_core_pkg::ACC_DEPTH)),
      .COMMAND_QUEUE_DEPTH(vta_core_pkg::COMMAND_QUEUE_DEPTH),
      .TOKEN_QUEUE_DEPTH(vta_core_pkg::TOKEN_QUEUE_DEPTH),
      .EXTENSION(EXTENSION),
      .LOG2_ALU_FOLDING(vta_core_pkg::LOG2_ALU_FOLDING),
      .CLOCK_HZ(CLOCK_HZ)
  ) registers (
      .clk(aclk),
      .*
  );
endmodule
