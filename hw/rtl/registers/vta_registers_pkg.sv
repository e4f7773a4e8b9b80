// SPDX-License-Identifier: Apache-2.0
//
// The control registers. Generated from hw/registers/registers.def: `register_map package`.
// No module uses all of it.
/* verilator lint_off UNUSEDPARAM */
package vta_registers_pkg;
  // Offsets in bytes; of the low word for 64-bit registers.
  localparam [11:0] MAGIC = 12'h0;
  localparam [11:0] MAP_VERSION = 12'h4;
  localparam [11:0] BATCH = 12'h10;
  localparam [11:0] BLOCK_IN = 12'h14;
  localparam [11:0] BLOCK_OUT = 12'h18;
  localparam [11:0] LOG2_UOP_DEPTH = 12'h1C;
  localparam [11:0] LOG2_INP_DEPTH = 12'h20;
  localparam [11:0] LOG2_WGT_DEPTH = 12'h24;
  localparam [11:0] LOG2_ACC_DEPTH = 12'h28;
  localparam [11:0] COMMAND_QUEUE_DEPTH = 12'h2C;
  localparam [11:0] TOKEN_QUEUE_DEPTH = 12'h30;
  localparam [11:0] EXTENSION = 12'h34;
  localparam [11:0] CLOCK_HZ = 12'h38;
  localparam [11:0] LOG2_ALU_FOLDING = 12'h3C;
  localparam [11:0] CONTROL = 12'h100;
  localparam [11:0] STATUS = 12'h104;
  localparam [11:0] DRAM_BASE_BYTES = 12'h108;
  localparam [11:0] PROGRAM_OFFSET_BYTES = 12'h10C;
  localparam [11:0] DRAM_SIZE_BYTES = 12'h110;
  localparam [11:0] NUM_INSTRUCTIONS = 12'h118;
  localparam [11:0] FAULT_CODE = 12'h140;
  localparam [11:0] FAULT_INDEX = 12'h144;
  localparam [11:0] FAULT_VALUE = 12'h148;
  localparam [11:0] FAULT_STAGE = 12'h150;
  localparam [11:0] BUS_ERROR = 12'h154;
  localparam [11:0] SNAPSHOT_DEPTH = 12'h180;
  localparam [11:0] SNAPSHOT_PARTS = 12'h184;
  localparam [11:0] SNAPSHOT_SELECT = 12'h188;
  localparam [11:0] SNAPSHOT_END = 12'h18C;
  localparam [11:0] SNAPSHOT_LOAD = 12'h190;
  localparam [11:0] SNAPSHOT_GEMM = 12'h194;
  localparam [11:0] SNAPSHOT_ALU = 12'h198;
  localparam [11:0] SNAPSHOT_STORE = 12'h19C;
  localparam [11:0] CYCLES = 12'h200;
  localparam [11:0] INP_LOAD_NBYTES = 12'h208;
  localparam [11:0] WGT_LOAD_NBYTES = 12'h210;
  localparam [11:0] ACC_LOAD_NBYTES = 12'h218;
  localparam [11:0] UOP_LOAD_NBYTES = 12'h220;
  localparam [11:0] OUT_STORE_NBYTES = 12'h228;
  localparam [11:0] GEMM_COUNTER = 12'h230;
  localparam [11:0] ALU_COUNTER = 12'h238;
  localparam [11:0] LOAD_BUSY = 12'h300;
  localparam [11:0] LOAD_WAIT_TOKEN = 12'h308;
  localparam [11:0] LOAD_WAIT_MEMORY = 12'h310;
  localparam [11:0] LOAD_WAIT_PORT = 12'h318;
  localparam [11:0] LOAD_WAIT_QUEUE = 12'h320;
  localparam [11:0] LOAD_IDLE = 12'h328;
  localparam [11:0] GEMM_BUSY = 12'h340;
  localparam [11:0] GEMM_WAIT_TOKEN = 12'h348;
  localparam [11:0] GEMM_WAIT_MEMORY = 12'h350;
  localparam [11:0] GEMM_WAIT_PORT = 12'h358;
  localparam [11:0] GEMM_WAIT_QUEUE = 12'h360;
  localparam [11:0] GEMM_IDLE = 12'h368;
  localparam [11:0] ALU_BUSY = 12'h380;
  localparam [11:0] ALU_WAIT_TOKEN = 12'h388;
  localparam [11:0] ALU_WAIT_MEMORY = 12'h390;
  localparam [11:0] ALU_WAIT_PORT = 12'h398;
  localparam [11:0] ALU_WAIT_QUEUE = 12'h3A0;
  localparam [11:0] ALU_IDLE = 12'h3A8;
  localparam [11:0] STORE_BUSY = 12'h3C0;
  localparam [11:0] STORE_WAIT_TOKEN = 12'h3C8;
  localparam [11:0] STORE_WAIT_MEMORY = 12'h3D0;
  localparam [11:0] STORE_WAIT_PORT = 12'h3D8;
  localparam [11:0] STORE_WAIT_QUEUE = 12'h3E0;
  localparam [11:0] STORE_IDLE = 12'h3E8;

  // Bit fields: the number of the lowest bit.
  localparam CONTROL_START = 0;
  localparam CONTROL_SOFT_RESET = 1;
  localparam STATUS_IDLE = 0;
  localparam STATUS_RUNNING = 1;
  localparam STATUS_DONE = 2;
  localparam STATUS_FAULT = 3;
  localparam STATUS_STAGE_BUSY = 8;
  localparam BUS_ERROR_FETCH_PORT = 0;
  localparam BUS_ERROR_LOAD_PORT = 1;
  localparam BUS_ERROR_UOP_PORT = 2;
  localparam BUS_ERROR_ACC_PORT = 3;
  localparam BUS_ERROR_STORE_PORT = 4;

  localparam [31:0] MAGIC_VALUE = 32'h43415456;
  localparam [31:0] MAP_VERSION_VALUE = 32'h2;

  // Stages, and the states in which cycles are counted.
  localparam [2:0] STAGE_LOAD = 3'h0;
  localparam [2:0] STAGE_GEMM = 3'h1;
  localparam [2:0] STAGE_ALU = 3'h2;
  localparam [2:0] STAGE_STORE = 3'h3;
  localparam [2:0] STAGE_FETCH = 3'h4;
  localparam [2:0] STATE_BUSY = 3'h0;
  localparam [2:0] STATE_WAIT_TOKEN = 3'h1;
  localparam [2:0] STATE_WAIT_MEMORY = 3'h2;
  localparam [2:0] STATE_WAIT_PORT = 3'h3;
  localparam [2:0] STATE_WAIT_QUEUE = 3'h4;
  localparam [2:0] STATE_IDLE = 3'h5;

  // Fault codes of hw/isa/faults.def.
  localparam [7:0] FAULT_ILLEGAL_OPCODE = 8'h1;
  localparam [7:0] FAULT_RESERVED_BIT = 8'h2;
  localparam [7:0] FAULT_ILLEGAL_MEMORY = 8'h3;
  localparam [7:0] FAULT_ILLEGAL_PADDING = 8'h4;
  localparam [7:0] FAULT_SCRATCHPAD_RANGE = 8'h5;
  localparam [7:0] FAULT_DRAM_RANGE = 8'h6;
  localparam [7:0] FAULT_ILLEGAL_ALU_OPCODE = 8'h7;
  localparam [7:0] FAULT_ILLEGAL_REQ_IMMEDIATE = 8'h8;
  localparam [7:0] FAULT_MICRO_OP_RANGE = 8'h9;
  localparam [7:0] FAULT_DST_INDEX = 8'hA;
  localparam [7:0] FAULT_SRC_INDEX = 8'hB;
  localparam [7:0] FAULT_WGT_INDEX = 8'hC;
  localparam [7:0] FAULT_TOKENS_LEFT_AT_A_CHANGE = 8'hD;
  localparam [7:0] FAULT_INSTRUCTION_AFTER_FINISH = 8'hE;
  localparam [7:0] FAULT_NO_FINISH = 8'hF;
  localparam [7:0] FAULT_TOKENS_LEFT = 8'h10;
  localparam [7:0] FAULT_DEADLOCK = 8'h11;

  // Mapped words, one bit for each, from offset 0 on.
  localparam MAPPED_WORDS = 256;
  localparam [MAPPED_WORDS-1:0] MAPPED = {
    64'h0FFF0FFF0FFF0FFF,
    64'h000000000000FFFF,
    64'h000000FF003F007F,
    64'h000000000000FFF3
  };
endpackage
/* verilator lint_on UNUSEDPARAM */
