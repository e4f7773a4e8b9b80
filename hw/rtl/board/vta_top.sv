// SPDX-License-Identifier: Apache-2.0
//
// The core with a bus. Its control registers are an AXI4-Lite slave (register map:
// hw/rtl/registers/README.md). Its DRAM ports are 64-bit AXI3 masters: four that read, as packed
// arrays by the number of the master, and one that writes. Signals that are constant for all bursts
// are not ports: ID 0, 8 bytes a beat, incrementing. vta_zynq_top connects the masters to a Zynq's
// processing system, each to channels of its own. vta_core_pkg holds the core's configuration.
module vta_top #(
    parameter EXTENSION = 1,
    parameter CLOCK_HZ  = 100_000_000
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
    // Reads, by master: FETCH, LOAD, UOP, ACC below.
    output wire [3:0] m_axi_arvalid,
    input wire [3:0] m_axi_arready,
    output wire [3:0][31:0] m_axi_araddr,
    output wire [3:0][3:0] m_axi_arlen,
    input wire [3:0] m_axi_rvalid,
    output wire [3:0] m_axi_rready,
    input wire [3:0][63:0] m_axi_rdata,
    input wire [3:0][1:0] m_axi_rresp,
    input wire [3:0] m_axi_rlast,
    // Writes of STORE.
    output wire m_axi_awvalid,
    input wire m_axi_awready,
    output wire [31:0] m_axi_awaddr,
    output wire [3:0] m_axi_awlen,
    output wire m_axi_wvalid,
    input wire m_axi_wready,
    output wire [63:0] m_axi_wdata,
    output wire [7:0] m_axi_wstrb,
    output wire m_axi_wlast,
    input wire m_axi_bvalid,
    output wire m_axi_bready,
    input wire [1:0] m_axi_bresp
);
  localparam FETCH = 0, LOAD = 1, UOP = 2, ACC = 3;

  reg rst;
  always_ff @(posedge aclk) rst <= ~aresetn;

  wire core_reset, core_running;
  wire [3:0] read_idle;
  wire write_idle;
  wire bus_idle = &read_idle & write_idle;

  // The masters of the core (c_), each with a gate to the bus. What a gate does not change goes past
  // it.
  wire [3:0] c_arvalid, c_arready, c_rvalid, c_rready;
  wire [3:0][31:0] c_araddr;
  wire [3:0][7:0] c_arlen;
  generate
    for (genvar master = 0; master < 4; master++) begin : g_read
      vta_axi_read_gate gate (
          .clk(aclk), .rst, .drop(core_reset), .idle(read_idle[master]),
          .c_arvalid(c_arvalid[master]), .c_arready(c_arready[master]),
          .c_araddr(c_araddr[master]), .c_arlen(c_arlen[master]), .c_rvalid(c_rvalid[master]),
          .c_rready(c_rready[master]), .arvalid(m_axi_arvalid[master]),
          .arready(m_axi_arready[master]), .araddr(m_axi_araddr[master]),
          .arlen(m_axi_arlen[master]), .rvalid(m_axi_rvalid[master]), .rready(m_axi_rready[master]),
          .rlast(m_axi_rlast[master])
      );
    end
  endgenerate

  wire c_awvalid, c_awready, c_wvalid, c_wready, c_wlast, c_bvalid, c_bready;
  wire [31:0] c_awaddr;
  wire [7:0] c_awlen;
  wire [63:0] c_wdata;
  vta_axi_write_gate write_gate (
      .clk(aclk), .rst, .drop(core_reset), .idle(write_idle), .c_awvalid, .c_awready, .c_awaddr,
      .c_awlen, .c_wvalid, .c_wready, .c_wdata, .c_wlast, .c_bvalid, .c_bready,
      .awvalid(m_axi_awvalid), .awready(m_axi_awready), .awaddr(m_axi_awaddr), .awlen(m_axi_awlen),
      .wvalid(m_axi_wvalid), .wready(m_axi_wready), .wdata(m_axi_wdata), .wstrb(m_axi_wstrb),
      .wlast(m_axi_wlast), .bvalid(m_axi_bvalid), .bready(m_axi_bready)
  );

  // The core's inputs and outputs. Arrays are by process, as in vta_run_watch: fetch, load_request,
  // load_data, gemm, alu, store_read, store_write.
  wire has_extension, finished;
  wire [31:0] dram_base_bytes, finish_index;
  wire [63:0] dram_size_bytes, run_request_data, run_fetch_data;
  wire run_request_empty, run_request_pop, run_fetch_empty, run_fetch_pop;
  wire [6:0] finished_unused;
  wire [6:0][7:0] status, fault;
  wire [6:0][31:0] index;
  wire [6:0][63:0] value;
  wire [63:0] inp_load_nbytes, wgt_load_nbytes, acc_load_nbytes, uop_load_nbytes, out_store_nbytes,
      gemm_counter, alu_counter;
  wire [4:0] bus_error;  // by master; the last is that of STORE
  localparam TOKEN_BITS = $clog2(vta_core_pkg::TOKEN_QUEUE_DEPTH + 1);
  wire [5:0][TOKEN_BITS-1:0] counts;
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
      .run_fetch_empty, .run_fetch_pop,
      .fetch_status_0(status[0]), .fetch_status_1(index[0]), .fetch_status_2(fault[0]),
      .fetch_status_3(value[0]), .load_status_0(status[1]), .load_status_1(index[1]),
      .load_data_status_0(status[2]), .load_data_status_1(index[2]), .load_data_status_2(fault[2]),
      .load_data_status_3(value[2]), .gemm_status_0(status[3]), .gemm_status_1(index[3]),
      .gemm_status_2(fault[3]), .gemm_status_3(value[3]), .alu_status_0(status[4]),
      .alu_status_1(index[4]), .alu_status_2(fault[4]), .alu_status_3(value[4]),
      .store_status_0(status[5]), .store_status_1(index[5]), .store_write_status_0(status[6]),
      .store_write_status_1(index[6]), .store_write_status_2(fault[6]),
      .store_write_status_3(value[6]), .finished({finished_unused, finished}), .finish_index,
      .inp_load_nbytes, .wgt_load_nbytes, .acc_load_nbytes, .uop_load_nbytes, .out_store_nbytes,
      .gemm_counter, .alu_counter, .fetch_port_arvalid(c_arvalid[FETCH]),
      .fetch_port_arready(c_arready[FETCH]), .fetch_port_araddr(c_araddr[FETCH]),
      .fetch_port_arlen(c_arlen[FETCH]), .fetch_port_rvalid(c_rvalid[FETCH]),
      .fetch_port_rready(c_rready[FETCH]), .fetch_port_rdata(m_axi_rdata[FETCH]),
      .fetch_port_rresp(m_axi_rresp[FETCH]), .fetch_port_rlast(m_axi_rlast[FETCH]),
      .fetch_port_error(bus_error[FETCH]), .load_port_arvalid(c_arvalid[LOAD]),
      .load_port_arready(c_arready[LOAD]), .load_port_araddr(c_araddr[LOAD]),
      .load_port_arlen(c_arlen[LOAD]), .load_port_rvalid(c_rvalid[LOAD]),
      .load_port_rready(c_rready[LOAD]), .load_port_rdata(m_axi_rdata[LOAD]),
      .load_port_rresp(m_axi_rresp[LOAD]), .load_port_rlast(m_axi_rlast[LOAD]),
      .load_port_error(bus_error[LOAD]), .uop_port_arvalid(c_arvalid[UOP]),
      .uop_port_arready(c_arready[UOP]), .uop_port_araddr(c_araddr[UOP]),
      .uop_port_arlen(c_arlen[UOP]), .uop_port_rvalid(c_rvalid[UOP]),
      .uop_port_rready(c_rready[UOP]), .uop_port_rdata(m_axi_rdata[UOP]),
      .uop_port_rresp(m_axi_rresp[UOP]), .uop_port_rlast(m_axi_rlast[UOP]),
      .uop_port_error(bus_error[UOP]), .acc_port_arvalid(c_arvalid[ACC]),
      .acc_port_arready(c_arready[ACC]), .acc_port_araddr(c_araddr[ACC]),
      .acc_port_arlen(c_arlen[ACC]), .acc_port_rvalid(c_rvalid[ACC]),
      .acc_port_rready(c_rready[ACC]), .acc_port_rdata(m_axi_rdata[ACC]),
      .acc_port_rresp(m_axi_rresp[ACC]), .acc_port_rlast(m_axi_rlast[ACC]),
      .acc_port_error(bus_error[ACC]), .store_port_awvalid(c_awvalid),
      .store_port_awready(c_awready), .store_port_awaddr(c_awaddr), .store_port_awlen(c_awlen),
      .store_port_wvalid(c_wvalid), .store_port_wready(c_wready), .store_port_wdata(c_wdata),
      .store_port_wlast(c_wlast), .store_port_bvalid(c_bvalid), .store_port_bready(c_bready),
      .store_port_bresp(m_axi_bresp), .store_port_error(bus_error[4]),
      .load_to_gemm_count(counts[0]), .gemm_to_load_count(counts[1]), .gemm_to_alu_count(counts[2]),
      .alu_to_gemm_count(counts[3]), .alu_to_store_count(counts[4]), .store_to_alu_count(counts[5]),
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
  assign {fault[1], fault[5], value[1], value[5]} = '0;  // processes without faults

  // The end of a run.
  wire still;
  wire [5:0] load_state, gemm_state, alu_state, store_state;
  vta_core_states states (.*);
  wire quiet = still & bus_idle & ~(|c_arvalid | c_awvalid | c_wvalid);
  wire [6:0] busy;
  generate
    for (genvar at = 0; at < 7; at++) assign busy[at] = status[at][0];
  endgenerate
  wire [31:0] tokens = 32'(counts[0]) + 32'(counts[1]) + 32'(counts[2]) + 32'(counts[3]) +
      32'(counts[4]) + 32'(counts[5]);
  wire [3:0] ending_busy = {busy[6], busy[4], busy[3], busy[2]};
  wire [127:0] ending_index = {index[6], index[4], index[3], index[2]};
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
  wire unused = &{1'b0, status};
endmodule
