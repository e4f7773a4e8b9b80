// SPDX-License-Identifier: Apache-2.0
//
// The cycle in which each stage has ended a part of the program: for load, gemm, alu and store a
// column of cycles in distributed RAM, by part. A part is the instructions before its end that are
// not in an earlier part; ends ascend.
//
// A stage is in one part. When it starts an instruction of a later part, or the run ends, the
// cycle of its last end is the part's, and the stage moves on: one part a cycle.
module vta_snapshots #(
    parameter LOG2_PARTS = 6,
    parameter INDEX_BITS = 24,
    parameter CYCLE_BITS = 32
) (
    input  wire                    clk,
    input  wire                    clear,         // before each run
    input  wire                    ended,         // from the end of the run on
    input  wire [  CYCLE_BITS-1:0] cycles,        // of the run so far
    input  wire [             3:0] busy,          // load, gemm, alu, store: executes an instruction
    input  wire [           127:0] index,         // likewise: the instruction
    input  wire [  LOG2_PARTS : 0] parts,         // of this run; 0: nothing is recorded
    // The part whose end is set, and read.
    input  wire [LOG2_PARTS-1 : 0] part,
    input  wire                    set_end,
    input  wire [  INDEX_BITS-1:0] end_index,
    output wire [4*CYCLE_BITS-1:0] part_cycles
);
  generate
    for (genvar stage = 0; stage < 4; stage++) begin : g_stage
      (* ram_style = "distributed" *) reg [INDEX_BITS-1:0] ends[0:2**LOG2_PARTS-1];
      (* ram_style = "distributed" *) reg [CYCLE_BITS-1:0] column[0:2**LOG2_PARTS-1];
      reg [LOG2_PARTS : 0] present;  // the part in which the stage is
      reg was_busy;
      reg [CYCLE_BITS-1:0] last;     // end of the stage's last instruction

      wire [LOG2_PARTS-1 : 0] at = present[LOG2_PARTS-1:0];
      wire is_later = busy[stage] & index[32*stage+:INDEX_BITS] >= ends[at];
      wire leaves = present < parts & (is_later | (ended & ~was_busy));
      assign part_cycles[CYCLE_BITS*stage+:CYCLE_BITS] = column[part];

      always_ff @(posedge clk) begin
        if (set_end) ends[part] <= end_index;
        if (leaves) column[at] <= last;
      end
      always_ff @(posedge clk) begin
        was_busy <= busy[stage];
        if (was_busy & ~busy[stage]) last <= cycles;
        if (leaves) present <= present + 1'b1;
        if (clear) begin
          was_busy <= 1'b0;
          last     <= '0;
          present  <= '0;
        end
      end
    end
  endgenerate
  wire unused = &{1'b0, index};
endmodule
