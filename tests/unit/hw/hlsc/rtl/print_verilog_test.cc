// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/rtl/print_verilog.h"

#include <gtest/gtest.h>

namespace vta::hlsc::rtl {
namespace {

const Expression kGo = net("go"), kX = net("x", 8), kY = net("y", 8), kT = net("t", 8);

// A module with every kind of item.
Module example() {
  Module module;
  module.name = "m";
  module.comment = "an example";
  module.ports = {{false, false, 1, "clk"},
                  {false, false, 1, "rst"},
                  {false, false, 8, "x"},
                  {true, true, 8, "y"},
                  {true, false, 1, "busy"}};
  module.nets = {{NetKind::kLocalparam, 1, "S0", literal(1, 0), true},
                 {NetKind::kRegister, 1, "state", {}, true},
                 {NetKind::kWire, 1, "go", equal(net("state"), net("S0"))},
                 {NetKind::kWire, 8, "word", {}}};
  Statement block = if_then(kGo, blocking(kT, kX + literal(8, 1)));
  block.then.clear();
  block.kind = StatementKind::kBlock;
  block.label = "at_S0";
  block.comment = "m.cc:3";
  block.variables = {{"t", 8}, {"fast", 8, true, View::kSynthesis}};
  Statement simulated = blocking(kT, kX), built = blocking(net("fast", 8), kX),
            copied = blocking(kT, net("fast", 8));
  simulated.view = View::kSimulation;
  built.view = copied.view = View::kSynthesis;
  block.then = {
      simulated, built, copied, if_then(bits(kX, 0, 1), nonblocking(kY, kT)),
      sequence({nonblocking(kY, kX), if_else(kGo, sequence({nonblocking(net("state"), net("S0"))}),
                                             sequence({nonblocking(net("state"), net("S0"))}))})};
  Statement reset = block;
  reset.label = reset.comment = "";
  reset.variables.clear();
  reset.condition = net("rst");
  reset.then = {nonblocking(net("state"), net("S0"))};
  module.items = {
      Assignment{net("busy"), ~kGo},
      Instance{"hls_ram",
               "r",
               {{"WIDTH", 8}, {"DEPTH", 4}},
               {{"clk", net("clk")}, {"rq", net("word", 8)}}},
      Always{Trigger::kClock, {if_then(kGo, nonblocking(kY, kX))}},
      Always{Trigger::kClock,
             {if_else(kGo, nonblocking(kY, kX), if_then(net("busy"), nonblocking(kY, kY))), block,
              reset}}};
  return module;
}

constexpr const char* kText = R"(// an example
module m (
  input wire clk,
  input wire rst,
  input wire [7:0] x,
  output reg [7:0] y,
  output wire busy
);
  localparam [0:0] S0 = 1'd0;
  reg [0:0] state;
  wire go = state == S0;
  wire [7:0] word;
  assign busy = ~go;
  hls_ram #(.WIDTH(8), .DEPTH(4)) r (.clk(clk), .rq(word));
  always @(posedge clk) if (go) y <= x;

  always @(posedge clk) begin
    if (go) y <= x;
    else if (busy) y <= y;
    if (go) begin : at_S0  // m.cc:3
      reg [7:0] t;
`ifndef HLS_SIMULATION
      reg signed [7:0] fast;
`endif
`ifdef HLS_SIMULATION
      t = x;
`else
      fast = x;
      t = fast;
`endif
      if (x[0]) y <= t;
      y <= x; if (go) begin state <= S0; end else begin state <= S0; end
    end
    if (rst) begin
      state <= S0;
    end
  end
endmodule
)";

TEST(PrintVerilog, PrintsEveryKindOfItem) { EXPECT_EQ(print_verilog(example()), kText); }

TEST(PrintVerilog, PutsTheModuleForSimulatorsBesideTheOther) {
  Module a, b;
  a.name = b.name = "m";
  a.ports = b.ports = {{false, false, 1, "clk"}};
  b.nets = {{NetKind::kWire, 1, "w", {}}};
  EXPECT_EQ(print_verilog(File{"f", {{a, {}}, {a, b}}}), R"(// f

module m (
  input wire clk
);
endmodule

`ifndef HLS_SIMULATION
module m (
  input wire clk
);
endmodule
`else
module m (
  input wire clk
);
  wire w;
endmodule
`endif
)");
}

TEST(PrintVerilog, PrintsInitialContents) {
  File file{"f", {}};
  file.rams = {{"r", 8, 4, true, {literal(8, 3), literal(8, 1), literal(8, 2)}},
               {"rom", 1, 1, false, {literal(1, 1)}}};
  EXPECT_EQ(print_verilog(file), R"(// f

module r #(
  // verilator lint_off UNUSEDPARAM
  parameter STYLE = "block"  // or "distributed": LUT RAM, "auto". Verilator ignores it
  // verilator lint_on UNUSEDPARAM
) (
  input  wire clk,
  input  wire re,
  input  wire [1:0] ra,
  output reg  [7:0] rq,
  input  wire [1:0] we,
  input  wire [1:0] wa,
  input  wire [7:0] wd
);
  (* ram_style = STYLE *) reg [7:0] words[0:2];
  initial begin
    words[0] = 8'd3;
    words[1] = 8'd1;
    words[2] = 8'd2;
  end
  always @(posedge clk) if (re) rq <= words[ra];
  always @(posedge clk) begin
    if (we[0]) words[wa][3:0] <= wd[3:0];
    if (we[1]) words[wa][7:4] <= wd[7:4];
  end
endmodule

module rom #(
  // verilator lint_off UNUSEDPARAM
  parameter STYLE = "block"  // or "distributed": LUT RAM, "auto". Verilator ignores it
  // verilator lint_on UNUSEDPARAM
) (
  input  wire clk,
  input  wire re,
  input  wire [0:0] ra,
  output reg  [0:0] rq
);
  (* ram_style = STYLE *) reg [0:0] words[0:0];
  initial begin
    words[0] = 1'd1;
  end
  always @(posedge clk) if (re) rq <= words[ra];
endmodule
)");
}

TEST(Modules, AreEqualIfTheirTreesAre) {
  EXPECT_EQ(example(), example());
  Module other = example();
  std::get<Assignment>(other.items[0]).value = kGo;
  EXPECT_FALSE(other == example());
}

}  // namespace
}  // namespace vta::hlsc::rtl
