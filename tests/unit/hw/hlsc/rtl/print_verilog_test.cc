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

TEST(Modules, AreEqualIfTheirTreesAre) {
  EXPECT_EQ(example(), example());
  Module other = example();
  std::get<Assignment>(other.items[0]).value = kGo;
  EXPECT_FALSE(other == example());
}

}  // namespace
}  // namespace vta::hlsc::rtl
