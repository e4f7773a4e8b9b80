// SPDX-License-Identifier: Apache-2.0
//
// A simple dual-port RAM: one port reads whole words, the other writes lanes. Read-first: a read in
// the cycle of a write of the same word returns the old word. rq keeps its value without re.
module hls_ram #(
    parameter WIDTH = 32,
    parameter DEPTH = 16,
    parameter LANE  = 32,
    // verilator lint_off UNUSEDPARAM
    parameter STYLE = "block",  // or "distributed": LUT RAM. Verilator ignores the attribute
    // verilator lint_on UNUSEDPARAM
    parameter ADDRESS_BITS = DEPTH <= 2 ? 1 : $clog2(DEPTH),
    parameter LANES = WIDTH / LANE
) (
    input  wire                    clk,
    input  wire                    re,
    input  wire [ADDRESS_BITS-1:0] ra,
    output reg  [       WIDTH-1:0] rq,
    input  wire [       LANES-1:0] we,
    input  wire [ADDRESS_BITS-1:0] wa,
    input  wire [       WIDTH-1:0] wd
);
  // One array, written in lanes at constant offsets: infers RAM and simulates fast.
  (* ram_style = STYLE *) reg [WIDTH-1:0] words[0:DEPTH-1];
  always @(posedge clk) if (re) rq <= words[ra];
  genvar lane;
  generate
    for (lane = 0; lane < LANES; lane = lane + 1) begin : g_lane
      always @(posedge clk) if (we[lane]) words[wa][lane*LANE+:LANE] <= wd[lane*LANE+:LANE];
    end
  endgenerate
endmodule
