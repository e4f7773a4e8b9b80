// SPDX-License-Identifier: Apache-2.0
//
// A FIFO of items without content: a counter of the items pushed and not popped.
module hls_tokens #(
    parameter DEPTH = 2,
    parameter BITS  = $clog2(DEPTH + 1)
) (
    input  wire clk,
    input  wire rst,
    input  wire push,
    output wire full,
    input  wire pop,
    output wire empty,
    output reg  [BITS-1:0] count
);
  // Flags are registers: processes stall on them.
  reg is_full, has_tokens;
  assign full  = is_full;
  assign empty = ~has_tokens;
  always @(posedge clk) begin
    if (push != pop) begin
      count <= push ? count + 1'b1 : count - 1'b1;
      is_full <= push & (count == BITS'(DEPTH - 1));
      has_tokens <= push | (count != BITS'(1));
    end
    if (rst) begin
      count <= '0;
      is_full <= 1'b0;
      has_tokens <= 1'b0;
    end
  end

`ifdef VERILATOR
  always @(posedge clk) begin
    if (push) if (full & ~rst) $fatal(1, "%m: a push into a full queue");
    if (pop) if (empty & ~rst) $fatal(1, "%m: a pop from an empty queue");
  end
`endif
endmodule
