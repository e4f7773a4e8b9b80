// SPDX-License-Identifier: Apache-2.0
//
// The core's control registers (map in README.md): an AXI4-Lite slave on one side; the core's
// inputs, counters and states on the other. Also starts and resets the core, and counts cycles.
//
// A run: idle, `start`, running, `run_ended`, then done or fault until a soft reset leads back to
// idle. `core_reset` is 1 from the cycle after `rst` or a soft reset on, and until at least eight
// cycles after them and `bus_idle`; it resets the whole core: processes, queues and AXI adapters.
module vta_registers #(
    // As in configs/cores; the driver refuses programs for other values.
    parameter BATCH               = 1,
    parameter BLOCK_IN            = 16,
    parameter BLOCK_OUT           = 16,
    parameter LOG2_UOP_DEPTH      = 13,
    parameter LOG2_INP_DEPTH      = 11,
    parameter LOG2_WGT_DEPTH      = 10,
    parameter LOG2_ACC_DEPTH      = 11,
    parameter COMMAND_QUEUE_DEPTH = 512,
    parameter TOKEN_QUEUE_DEPTH   = 1023,
    parameter EXTENSION           = 1,
    parameter LOG2_ALU_FOLDING    = 0,
    parameter CLOCK_HZ            = 100_000_000,
    parameter CYCLE_BITS          = 40,           // 40 bits: three hours at 100 MHz
    parameter LOG2_SNAPSHOTS      = 6             // parts of a program whose ends are recorded
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [11:0] s_axi_awaddr,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,
    input  wire [31:0] s_axi_wdata,
    input  wire [ 3:0] s_axi_wstrb,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    output wire [ 1:0] s_axi_bresp,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,
    input  wire [11:0] s_axi_araddr,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,
    output wire [31:0] s_axi_rdata,
    output wire [ 1:0] s_axi_rresp,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,
    output wire        irq,               // 1 from the end of a run to the next soft reset

    // Inputs of the core, constant while it runs.
    output reg         core_reset,
    input  wire        bus_idle,          // no burst is in flight
    output wire        core_running,      // from the start to the end of a run
    output wire        has_extension,
    output reg  [31:0] dram_base_bytes,
    output reg  [63:0] dram_size_bytes,
    // Two streams to the core, each with one item a run: {count, address}.
    output wire [63:0] run_request_data,
    output wire        run_request_empty,
    input  wire        run_request_pop,
    output wire [63:0] run_fetch_data,
    output wire        run_fetch_empty,
    input  wire        run_fetch_pop,

    // The end of a run, and its result, sampled then (code 0: no fault).
    input wire        run_ended,
    input wire [ 7:0] run_fault_code,
    input wire [31:0] run_fault_index,
    input wire [63:0] run_fault_value,
    input wire [ 2:0] run_fault_stage,

    // The present state of the core.
    input wire [ 4:0] stage_busy,       // by the stage's number
    // The processes that end a stage's instructions, and their instructions: load, gemm, alu, store.
    input wire [ 3:0] ending_busy,
    input wire [127:0] ending_index,
    input wire [ 4:0] bus_error,        // fetch, load, uop, acc, store port; each stays until reset
    input wire [63:0] inp_load_nbytes,
    input wire [63:0] wgt_load_nbytes,
    input wire [63:0] acc_load_nbytes,
    input wire [63:0] uop_load_nbytes,
    input wire [63:0] out_store_nbytes,
    input wire [63:0] gemm_counter,
    input wire [63:0] alu_counter,
    // One-hot: the state, by its number.
    input wire [ 5:0] load_state,
    input wire [ 5:0] gemm_state,
    input wire [ 5:0] alu_state,
    input wire [ 5:0] store_state
);
  localparam [2:0] LAST_OF_RESET = 3'd7;  // one cycle for each counter of vta_stage_cycles

  wire write, write_mapped, read, read_mapped;
  wire [11:0] write_address, read_address;
  wire [31:0] write_data;
  wire [3:0] write_strobes;
  reg [31:0] read_data;
  vta_axi_lite axi_lite (.*);

  function automatic mapped(input [11:0] address);
    mapped = address[11:10] == 2'd0 & address[1:0] == 2'd0 &
        vta_registers_pkg::MAPPED[address[9:2]];
  endfunction
  assign write_mapped = mapped(write_address);
  assign read_mapped  = mapped(read_address);

  // Runs.
  typedef enum logic [2:0] {
    RESETTING,
    IDLE,
    RUNNING,
    DONE,
    FAULT
  } state_t;
  state_t state;
  reg [2:0] reset_left;
  reg start_waits;  // until the end of the reset
  reg request_waits, fetch_waits;  // until the core takes its item

  wire command = write & write_address == vta_registers_pkg::CONTROL & write_strobes[0];
  wire start = command & write_data[vta_registers_pkg::CONTROL_START];
  wire soft_reset = command & write_data[vta_registers_pkg::CONTROL_SOFT_RESET];
  wire running = state == RUNNING;
  wire ends = running & run_ended;
  wire reset_ends = state == RESETTING & reset_left == '0 & bus_idle;
  wire starts = (state == IDLE & start) | (reset_ends & (start_waits | start));

  assign core_running = running;
  assign irq = state == DONE | state == FAULT;
  assign has_extension = EXTENSION != 0;
  assign run_request_empty = ~request_waits;
  assign run_fetch_empty = ~fetch_waits;

  // That the state is RESETTING, as a register of its own: no logic delays what all of the core reads.
  always_ff @(posedge clk) core_reset <= rst | soft_reset | (state == RESETTING & ~reset_ends);

  always_ff @(posedge clk) begin
    if (state == RESETTING) begin
      if (reset_left != '0) reset_left <= reset_left - 1'b1;
      start_waits <= start_waits | start;
      if (reset_ends) state <= IDLE;
    end
    if (ends) state <= run_fault_code != '0 | bus_error != '0 ? FAULT : DONE;
    if (run_request_pop) request_waits <= 1'b0;
    if (run_fetch_pop) fetch_waits <= 1'b0;
    if (starts) begin
      state         <= RUNNING;
      request_waits <= 1'b1;
      fetch_waits   <= 1'b1;
    end
    if (rst | soft_reset) begin
      state         <= RESETTING;
      reset_left    <= LAST_OF_RESET;
      start_waits   <= ~rst & start;
      request_waits <= 1'b0;
      fetch_waits   <= 1'b0;
    end
  end

  // Result and cycles of the run.
  reg [7:0] fault_code;
  reg [31:0] fault_index;
  reg [63:0] fault_value;
  reg [2:0] fault_stage;
  reg [CYCLE_BITS-1:0] cycles;
  always_ff @(posedge clk) begin
    if (running) cycles <= cycles + 1'b1;
    if (ends) begin
      fault_code  <= run_fault_code;
      fault_index <= run_fault_index;
      fault_value <= run_fault_value;
      fault_stage <= run_fault_stage;
    end
    if (core_reset) begin
      cycles      <= '0;
      fault_code  <= '0;
      fault_index <= '0;
      fault_value <= '0;
      fault_stage <= '0;
    end
  end

  // The states come from all of the core: they are counted a cycle later.
  reg counts;
  reg [23:0] stage_state;
  always_ff @(posedge clk) begin
    counts      <= running;
    stage_state <= {store_state, alu_state, gemm_state, load_state};
  end
  wire [4*CYCLE_BITS-1:0] stage_cycles;
  generate
    for (genvar stage = 0; stage < 4; stage++) begin : g_stage
      vta_stage_cycles #(
          .BITS(CYCLE_BITS)
      ) counters (
          .clk        (clk),
          .clear      (core_reset),
          .clear_index(reset_left),
          .count      (counts),
          .state      (stage_state[6*stage+:6]),
          .read_index (read_address[5:3]),
          .read_cycles(stage_cycles[CYCLE_BITS*stage+:CYCLE_BITS])
      );
    end
  endgenerate

  // Snapshots.
  localparam SNAPSHOT_BITS = 32;
  reg [LOG2_SNAPSHOTS:0] snapshot_parts;
  reg [LOG2_SNAPSHOTS-1:0] snapshot_select;
  wire [4*SNAPSHOT_BITS-1:0] snapshots;
  vta_snapshots #(
      .LOG2_PARTS(LOG2_SNAPSHOTS),
      .CYCLE_BITS(SNAPSHOT_BITS)
  ) snapshot_table (
      .clk        (clk),
      .clear      (core_reset),
      .ended      (irq),
      .cycles     (cycles[SNAPSHOT_BITS-1:0]),
      .busy       (ending_busy),
      .index      (ending_index),
      .parts      (snapshot_parts),
      .part       (snapshot_select),
      .set_end    (write & ~running & write_address == vta_registers_pkg::SNAPSHOT_END),
      .end_index  (write_data[23:0]),
      .part_cycles(snapshots)
  );

  // Settings.
  reg [31:0] program_offset_bytes, num_instructions;
  assign run_request_data = {num_instructions, program_offset_bytes};
  assign run_fetch_data   = run_request_data;

  wire [31:0] strobe_mask = {
    {8{write_strobes[3]}}, {8{write_strobes[2]}}, {8{write_strobes[1]}}, {8{write_strobes[0]}}
  };
  function automatic [31:0] merged(input [31:0] present, input [31:0] data, input [31:0] mask);
    merged = (present & ~mask) | (data & mask);
  endfunction
  always_ff @(posedge clk) begin
    if (write & ~running) begin
      case (write_address)
        vta_registers_pkg::DRAM_BASE_BYTES:
        dram_base_bytes <= merged(dram_base_bytes, write_data, strobe_mask);
        vta_registers_pkg::PROGRAM_OFFSET_BYTES:
        program_offset_bytes <= merged(program_offset_bytes, write_data, strobe_mask);
        vta_registers_pkg::DRAM_SIZE_BYTES:
        dram_size_bytes[31:0] <= merged(dram_size_bytes[31:0], write_data, strobe_mask);
        vta_registers_pkg::DRAM_SIZE_BYTES + 12'd4:
        dram_size_bytes[63:32] <= merged(dram_size_bytes[63:32], write_data, strobe_mask);
        vta_registers_pkg::NUM_INSTRUCTIONS:
        num_instructions <= merged(num_instructions, write_data, strobe_mask);
        vta_registers_pkg::SNAPSHOT_PARTS:
        snapshot_parts <= (LOG2_SNAPSHOTS + 1)'(merged(32'(snapshot_parts), write_data, strobe_mask));
        vta_registers_pkg::SNAPSHOT_SELECT:
        snapshot_select <= LOG2_SNAPSHOTS'(merged(32'(snapshot_select), write_data, strobe_mask));
        default: ;
      endcase
    end
    if (rst) begin
      dram_base_bytes      <= '0;
      program_offset_bytes <= '0;
      dram_size_bytes      <= '0;
      num_instructions     <= '0;
      snapshot_parts       <= '0;
      snapshot_select      <= '0;
    end
  end

  // Reads. Reading the low word of 64 bits keeps the high word for the next read.
  reg [31:0] status, word, high;
  reg [63:0] pair;
  reg is_pair;
  always_comb begin
    status = '0;
    status[vta_registers_pkg::STATUS_IDLE] = state == IDLE;
    status[vta_registers_pkg::STATUS_RUNNING] = running;
    status[vta_registers_pkg::STATUS_DONE] = state == DONE;
    status[vta_registers_pkg::STATUS_FAULT] = state == FAULT;
    status[vta_registers_pkg::STATUS_STAGE_BUSY+:5] = stage_busy;
  end
  always_comb begin
    case (read_address)
      vta_registers_pkg::MAGIC: word = vta_registers_pkg::MAGIC_VALUE;
      vta_registers_pkg::MAP_VERSION: word = vta_registers_pkg::MAP_VERSION_VALUE;
      vta_registers_pkg::BATCH: word = BATCH;
      vta_registers_pkg::BLOCK_IN: word = BLOCK_IN;
      vta_registers_pkg::BLOCK_OUT: word = BLOCK_OUT;
      vta_registers_pkg::LOG2_UOP_DEPTH: word = LOG2_UOP_DEPTH;
      vta_registers_pkg::LOG2_INP_DEPTH: word = LOG2_INP_DEPTH;
      vta_registers_pkg::LOG2_WGT_DEPTH: word = LOG2_WGT_DEPTH;
      vta_registers_pkg::LOG2_ACC_DEPTH: word = LOG2_ACC_DEPTH;
      vta_registers_pkg::COMMAND_QUEUE_DEPTH: word = COMMAND_QUEUE_DEPTH;
      vta_registers_pkg::TOKEN_QUEUE_DEPTH: word = TOKEN_QUEUE_DEPTH;
      vta_registers_pkg::EXTENSION: word = {31'd0, has_extension};
      vta_registers_pkg::CLOCK_HZ: word = CLOCK_HZ;
      vta_registers_pkg::LOG2_ALU_FOLDING: word = LOG2_ALU_FOLDING;
      vta_registers_pkg::STATUS: word = status;
      vta_registers_pkg::DRAM_BASE_BYTES: word = dram_base_bytes;
      vta_registers_pkg::PROGRAM_OFFSET_BYTES: word = program_offset_bytes;
      vta_registers_pkg::NUM_INSTRUCTIONS: word = num_instructions;
      vta_registers_pkg::FAULT_CODE: word = {24'd0, fault_code};
      vta_registers_pkg::FAULT_INDEX: word = fault_index;
      vta_registers_pkg::FAULT_STAGE: word = {29'd0, fault_stage};
      vta_registers_pkg::BUS_ERROR: word = {27'd0, bus_error};
      vta_registers_pkg::SNAPSHOT_DEPTH: word = 1 << LOG2_SNAPSHOTS;
      vta_registers_pkg::SNAPSHOT_PARTS: word = 32'(snapshot_parts);
      vta_registers_pkg::SNAPSHOT_SELECT: word = 32'(snapshot_select);
      vta_registers_pkg::SNAPSHOT_LOAD: word = snapshots[0+:SNAPSHOT_BITS];
      vta_registers_pkg::SNAPSHOT_GEMM: word = snapshots[SNAPSHOT_BITS+:SNAPSHOT_BITS];
      vta_registers_pkg::SNAPSHOT_ALU: word = snapshots[2*SNAPSHOT_BITS+:SNAPSHOT_BITS];
      vta_registers_pkg::SNAPSHOT_STORE: word = snapshots[3*SNAPSHOT_BITS+:SNAPSHOT_BITS];
      default: word = '0;
    endcase
  end
  always_comb begin
    is_pair = 1'b1;
    case ({
      read_address[11:3], 3'd0
    })
      vta_registers_pkg::DRAM_SIZE_BYTES: pair = dram_size_bytes;
      vta_registers_pkg::FAULT_VALUE: pair = fault_value;
      vta_registers_pkg::CYCLES: pair = 64'(cycles);
      vta_registers_pkg::INP_LOAD_NBYTES: pair = inp_load_nbytes;
      vta_registers_pkg::WGT_LOAD_NBYTES: pair = wgt_load_nbytes;
      vta_registers_pkg::ACC_LOAD_NBYTES: pair = acc_load_nbytes;
      vta_registers_pkg::UOP_LOAD_NBYTES: pair = uop_load_nbytes;
      vta_registers_pkg::OUT_STORE_NBYTES: pair = out_store_nbytes;
      vta_registers_pkg::GEMM_COUNTER: pair = gemm_counter;
      vta_registers_pkg::ALU_COUNTER: pair = alu_counter;
      default: begin
        is_pair = read_address[9:8] == vta_registers_pkg::LOAD_BUSY[9:8];
        pair = 64'(stage_cycles[CYCLE_BITS*read_address[7:6]+:CYCLE_BITS]);
      end
    endcase
    read_data = ~is_pair ? word : read_address[2] ? high : pair[31:0];
  end
  always_ff @(posedge clk) begin
    if (read & read_mapped & is_pair & ~read_address[2]) high <= pair[63:32];
    if (rst) high <= '0;
  end
endmodule
