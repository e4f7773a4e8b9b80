// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/verilog_top.h"

#include <fmt/format.h>

#include "hw/hlsc/emit/verilog.h"
#include "hw/hlsc/schedule/check.h"
#include "tests/hls/verilog_pins.h"

namespace vta::kernels {

void VerilogTop::add(const std::string& name, const hlsc::ir::Design& design,
                     const hlsc::schedule::Schedule& schedule) {
  hlsc::schedule::check(design, schedule);
  modules_ += hlsc::emit::verilog(design, schedule, hlsc::bind::bind(design, schedule));
  const VerilogPins pins(design);
  const std::string prefix = name + "_of_";
  std::string connections;
  for (const Pin& pin : pins.pins()) {
    ports_ += fmt::format(",\n  {} wire [{}:0] {}{}", pin.output ? "output" : "input",
                          pin.width - 1, prefix, pin.name);
    connections += fmt::format(", .{}({}{})", pin.name, prefix, pin.name);
  }
  instances_ +=
      fmt::format("  {} i_{} (.clk(clk), .rst(rst){});\n", design.name, name, connections);
  pins_ += fmt::format("  {{\n    KernelModel& k = kernels[\"{}\"];\n{}  }}\n", name,
                       pins.table(prefix));
}

std::string VerilogTop::system_verilog() const {
  return fmt::format(
      "{}\nmodule kernels (\n  input wire clk,\n  input wire rst{}\n);\n{}endmodule\n", modules_,
      ports_, instances_);
}

std::string VerilogTop::model() const {
  constexpr const char* kBegin = R"(#include "Vkernels.h"
#include "tests/hls/verilog_model.h"

namespace vta::kernels {
namespace {

class Model final : public VerilogModel {
 public:
  Model() {
    context.randReset(2);  // where Verilator initializes with --x-initial unique
    find_pins();
  }
  void eval(bool clk, bool rst) override {
    top.clk = clk;
    top.rst = rst;
    top.eval();
  }

 private:
  void find_pins();
  VerilatedContext context;
  Vkernels top{&context};
};

void Model::find_pins() {
)";
  constexpr const char* kEnd = R"(}

}  // namespace
}  // namespace vta::kernels

vta::kernels::VerilogModel* make_verilog_model() { return new vta::kernels::Model; }
)";
  return kBegin + pins_ + kEnd;
}

}  // namespace vta::kernels
