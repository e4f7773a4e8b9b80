// SPDX-License-Identifier: Apache-2.0
//
// Detects the end of a run and its fault from the status of the core's stages. The outputs connect
// to the ports of vta_registers with the same names.
//
// A run has ended when the core has been quiet for QUIET_CYCLES. Its fault is the one with the
// lowest instruction index, of a stage or of tokens left after FINISH. Without a fault it is a
// deadlock if a stage is in the middle of an instruction. One status is examined a cycle, in two
// steps: selected from all, then compared with the fault so far. Each alone fits the clock.
//
// The order of the processes with a status: fetch, load_request, load_data, gemm, alu, store_read,
// store_write. Of equal indices the first wins.
module vta_run_watch #(
    parameter QUIET_CYCLES = 16  // more than the latency of a queue
) (
    input  wire         clk,
    input  wire         core_running,  // 0 clears everything
    input  wire         quiet,         // every process waits or has halted; no burst is in flight
    // Status, by process.
    input  wire [  6:0] busy,
    input  wire [223:0] index,
    input  wire [ 55:0] fault,
    input  wire [447:0] value,
    input  wire         finished,      // FINISH has run
    input  wire [ 31:0] finish_index,
    input  wire [ 31:0] tokens,        // in all token queues
    output wire [  4:0] stage_busy,
    output wire         run_ended,
    output reg  [  7:0] run_fault_code,
    output reg  [ 31:0] run_fault_index,
    output reg  [ 63:0] run_fault_value,
    output reg  [  2:0] run_fault_stage
);
  localparam COUNT_BITS = $clog2(QUIET_CYCLES + 1);
  localparam [COUNT_BITS-1:0] ALL_QUIET = COUNT_BITS'(QUIET_CYCLES);
  localparam [3:0] AT_TOKENS = 4'd7, AT_END = 4'd8;

  assign stage_busy = {busy[0], busy[5] | busy[6], busy[4], busy[3], busy[1] | busy[2]};

  reg was_quiet;
  reg [COUNT_BITS-1:0] count;
  reg [3:0] seen;  // processes, then the tokens, then all selected
  reg ended;       // all compared
  wire looks = was_quiet & count == ALL_QUIET & seen != AT_END;
  assign run_ended = ended;

  // The status to compare: of a process, or the tokens.
  reg at_process, at_tokens, is_busy, tokens_left;
  reg [31:0] index_here;
  reg [7:0] fault_here;
  reg [63:0] value_here;
  reg [2:0] stage_here;
  wire [2:0] at = seen[2:0];
  always_ff @(posedge clk) begin
    was_quiet   <= quiet & core_running;
    at_process  <= looks & seen != AT_TOKENS;
    at_tokens   <= looks & seen == AT_TOKENS;
    ended       <= core_running & seen == AT_END & (was_quiet | ended);
    is_busy     <= busy[at];
    tokens_left <= finished & tokens != '0;
    index_here  <= index[32*at+:32];
    fault_here  <= fault[8*at+:8];
    value_here  <= value[64*at+:64];
    case (at)
      3'd0: stage_here <= vta_registers_pkg::STAGE_FETCH;
      3'd1, 3'd2: stage_here <= vta_registers_pkg::STAGE_LOAD;
      3'd4: stage_here <= vta_registers_pkg::STAGE_ALU;
      3'd5, 3'd6: stage_here <= vta_registers_pkg::STAGE_STORE;
      default: stage_here <= vta_registers_pkg::STAGE_GEMM;
    endcase
  end

  // The fault so far: a real fault overrides the deadlock that a busy stage suggests.
  reg any_fault, any_waits;
  wire better = run_fault_index > index_here;
  wire takes_fault = at_process & fault_here != '0 & (~any_fault | better);
  wire takes_wait = at_process & fault_here == '0 & is_busy & ~any_fault & (~any_waits | better);
  wire takes_tokens = at_tokens & tokens_left & ~any_waits &
      (~any_fault | run_fault_index > finish_index);

  always_ff @(posedge clk) begin
    if (takes_fault | takes_wait) begin
      run_fault_code  <= takes_fault ? fault_here : vta_registers_pkg::FAULT_DEADLOCK;
      run_fault_index <= index_here;
      run_fault_value <= takes_fault ? value_here : '0;
      run_fault_stage <= stage_here;
    end
    if (takes_tokens) begin
      run_fault_code  <= vta_registers_pkg::FAULT_TOKENS_LEFT;
      run_fault_index <= finish_index;
      run_fault_value <= 64'(tokens);
      run_fault_stage <= vta_registers_pkg::STAGE_GEMM;
    end
    if (at_process & fault_here != '0) any_fault <= 1'b1;
    if (at_process & fault_here == '0 & is_busy) any_waits <= 1'b1;
    if (looks) seen <= seen + 1'b1;
    if (was_quiet & count != ALL_QUIET) count <= count + 1'b1;
    if (~core_running | (~was_quiet & ~run_ended)) begin
      count           <= '0;
      seen            <= '0;
      any_fault       <= 1'b0;
      any_waits       <= 1'b0;
      run_fault_code  <= '0;
      run_fault_index <= '0;
      run_fault_value <= '0;
      run_fault_stage <= '0;
    end
  end
endmodule
