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
  assign full  = count == BITS'(DEPTH);
  assign empty = count == '0;
  always @(posedge clk) begin
    if (push != pop) count <= push ? count + 1'b1 : count - 1'b1;
    if (rst) count <= '0;
  end

`ifdef VERILATOR
  always @(posedge clk) begin
    if (push) if (full & ~rst) $fatal(1, "%m: a push into a full queue");
    if (pop) if (empty & ~rst) $fatal(1, "%m: a pop from an empty queue");
  end
`endif
endmodule
