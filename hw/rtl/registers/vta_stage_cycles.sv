// SPDX-License-Identifier: Apache-2.0
//
// The cycles of a stage in each of its six states, as counters in distributed RAM: only the counter
// of the present state changes. While `clear` is 1, `clear_index` must take all values.
module vta_stage_cycles #(
    parameter BITS = 40
) (
    input  wire            clk,
    input  wire            clear,
    input  wire [     2:0] clear_index,
    input  wire            count,
    input  wire [     5:0] state,  // at most one bit is 1: the counter to increment
    input  wire [     2:0] read_index,
    output wire [BITS-1:0] read_cycles
);
  reg [BITS-1:0] cycles[0:7];
  wire [2:0] index = {
    state[4] | state[5], state[2] | state[3], state[1] | state[3] | state[5]
  };
  assign read_cycles = cycles[read_index];

  wire [2:0] write_index = clear ? clear_index : index;
  wire [BITS-1:0] next = clear ? '0 : cycles[index] + 1'b1;
  always_ff @(posedge clk) begin
    if (clear | (count & (|state))) cycles[write_index] <= next;
  end
endmodule
