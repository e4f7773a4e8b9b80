// SPDX-License-Identifier: Apache-2.0
//
// The waits of the core's processes as states of its stages (one-hot, by the state's number),
// and as one bit: no process moves. Generated from hw/core/processes.def: `board_verilog states`.
module vta_core_states (
    input  wire       fetch_request_waits_run_request,
    input  wire       fetch_request_waits_fetch_port,
    input  wire       fetch_ended,
    input  wire       fetch_waits_run_fetch,
    input  wire       fetch_waits_fetch_port,
    input  wire       fetch_waits_load_queue,
    input  wire       fetch_waits_gemm_queue,
    input  wire       fetch_waits_alu_queue,
    input  wire       fetch_waits_store_queue,
    input  wire       load_request_ended,
    input  wire       load_request_waits_load_queue,
    input  wire       load_request_waits_gemm_to_load,
    input  wire       load_request_waits_load_port,
    input  wire       load_request_waits_load_plan,
    input  wire       load_data_ended,
    input  wire       load_data_waits_load_plan,
    input  wire       load_data_waits_load_to_gemm,
    input  wire       load_data_waits_load_port,
    input  wire       uop_request_waits_uop_plan,
    input  wire       uop_request_waits_uop_port,
    input  wire       gemm_ended,
    input  wire       gemm_waits_gemm_queue,
    input  wire       gemm_waits_load_to_gemm,
    input  wire       gemm_waits_alu_to_gemm,
    input  wire       gemm_waits_gemm_to_load,
    input  wire       gemm_waits_gemm_to_alu,
    input  wire       gemm_waits_uop_port,
    input  wire       gemm_waits_uop_plan,
    input  wire       acc_request_waits_acc_plan,
    input  wire       acc_request_waits_acc_port,
    input  wire       alu_ended,
    input  wire       alu_waits_alu_queue,
    input  wire       alu_waits_gemm_to_alu,
    input  wire       alu_waits_store_to_alu,
    input  wire       alu_waits_alu_to_gemm,
    input  wire       alu_waits_alu_to_store,
    input  wire       alu_waits_acc_port,
    input  wire       alu_waits_uop,
    input  wire       alu_waits_acc,
    input  wire       alu_waits_out,
    input  wire       alu_waits_acc_plan,
    input  wire       store_read_ended,
    input  wire       store_read_waits_store_queue,
    input  wire       store_read_waits_alu_to_store,
    input  wire       store_read_waits_store_plan,
    input  wire       store_read_waits_store_beats,
    input  wire       store_write_ended,
    input  wire       store_write_waits_store_plan,
    input  wire       store_write_waits_store_to_alu,
    input  wire       store_write_waits_store_port,
    input  wire       store_write_waits_store_beats,
    output wire       still,
    output wire [5:0] load_state,
    output wire [5:0] gemm_state,
    output wire [5:0] alu_state,
    output wire [5:0] store_state
);
  function automatic [5:0] state(input idle, input token, input memory, input port_, input queue);
    state = '0;
    if (idle) state[vta_registers_pkg::STATE_IDLE] = 1'b1;
    else if (token) state[vta_registers_pkg::STATE_WAIT_TOKEN] = 1'b1;
    else if (memory) state[vta_registers_pkg::STATE_WAIT_MEMORY] = 1'b1;
    else if (port_) state[vta_registers_pkg::STATE_WAIT_PORT] = 1'b1;
    else if (queue) state[vta_registers_pkg::STATE_WAIT_QUEUE] = 1'b1;
    else state[vta_registers_pkg::STATE_BUSY] = 1'b1;
  endfunction

  // The state of a stage with two processes, of which `mover` moves the data.
  function automatic [5:0] both(input [5:0] first, input [5:0] mover);
    both = first[vta_registers_pkg::STATE_BUSY] | mover[vta_registers_pkg::STATE_IDLE] ? first :
        mover;
  endfunction

  wire [5:0] load_request_state = state(
      load_request_ended | load_request_waits_load_queue,
      load_request_waits_gemm_to_load,
      load_request_waits_load_port,
      1'b0,
      load_request_waits_load_plan
  );
  wire [5:0] load_data_state = state(
      load_data_ended | load_data_waits_load_plan,
      load_data_waits_load_to_gemm,
      load_data_waits_load_port,
      1'b0,
      1'b0
  );
  assign gemm_state = state(
      gemm_ended | gemm_waits_gemm_queue,
      gemm_waits_load_to_gemm | gemm_waits_alu_to_gemm | gemm_waits_gemm_to_load |
          gemm_waits_gemm_to_alu,
      gemm_waits_uop_port,
      1'b0,
      gemm_waits_uop_plan
  );
  assign alu_state = state(
      alu_ended | alu_waits_alu_queue,
      alu_waits_gemm_to_alu | alu_waits_store_to_alu | alu_waits_alu_to_gemm |
          alu_waits_alu_to_store,
      alu_waits_acc_port,
      alu_waits_uop | alu_waits_acc | alu_waits_out,
      alu_waits_acc_plan
  );
  wire [5:0] store_read_state = state(
      store_read_ended | store_read_waits_store_queue,
      store_read_waits_alu_to_store,
      1'b0,
      1'b0,
      store_read_waits_store_plan | store_read_waits_store_beats
  );
  wire [5:0] store_write_state = state(
      store_write_ended | store_write_waits_store_plan,
      store_write_waits_store_to_alu,
      store_write_waits_store_port,
      1'b0,
      store_write_waits_store_beats
  );
  assign load_state  = both(load_request_state, load_data_state);
  assign store_state = both(store_read_state, store_write_state);

  // A process that waits for a port of a scratchpad gets it from one that moves.
  wire fetch_request_still = fetch_request_waits_run_request | fetch_request_waits_fetch_port;
  wire fetch_still = fetch_ended | fetch_waits_run_fetch | fetch_waits_fetch_port |
      fetch_waits_load_queue | fetch_waits_gemm_queue | fetch_waits_alu_queue |
      fetch_waits_store_queue;
  wire load_request_still = load_request_ended | load_request_waits_load_queue |
      load_request_waits_gemm_to_load | load_request_waits_load_port | load_request_waits_load_plan;
  wire load_data_still = load_data_ended | load_data_waits_load_plan | load_data_waits_load_to_gemm
      | load_data_waits_load_port;
  wire uop_request_still = uop_request_waits_uop_plan | uop_request_waits_uop_port;
  wire gemm_still = gemm_ended | gemm_waits_gemm_queue | gemm_waits_load_to_gemm |
      gemm_waits_alu_to_gemm | gemm_waits_gemm_to_load | gemm_waits_gemm_to_alu |
      gemm_waits_uop_port | gemm_waits_uop_plan;
  wire acc_request_still = acc_request_waits_acc_plan | acc_request_waits_acc_port;
  wire alu_still = alu_ended | alu_waits_alu_queue | alu_waits_gemm_to_alu | alu_waits_store_to_alu
      | alu_waits_alu_to_gemm | alu_waits_alu_to_store | alu_waits_acc_port | alu_waits_acc_plan;
  wire store_read_still = store_read_ended | store_read_waits_store_queue |
      store_read_waits_alu_to_store | store_read_waits_store_plan | store_read_waits_store_beats;
  wire store_write_still = store_write_ended | store_write_waits_store_plan |
      store_write_waits_store_to_alu | store_write_waits_store_port | store_write_waits_store_beats;
  assign still = fetch_request_still & fetch_still & load_request_still & load_data_still &
      uop_request_still & gemm_still & acc_request_still & alu_still & store_read_still &
      store_write_still;
endmodule
