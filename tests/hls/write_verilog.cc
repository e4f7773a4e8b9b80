// SPDX-License-Identifier: Apache-2.0
//
// Writes all kernels as one SystemVerilog design, the C++ that tells the test where their ports are
// in the Verilated model (verilog_top.h), and their cycle models (cycle_model_source.h), of which
// the headers go beside CYCLES.cc:
//   write_verilog SOURCE_ROOT OUT.sv MODEL.cc CYCLES.cc KERNEL.cc...
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/schedule/schedule.h"
#include "hw/hlsc/transform/prepare.h"
#include "runtime/base/error.h"
#include "runtime/base/file.h"
#include "tests/hls/cycle_model_source.h"
#include "tests/hls/verilog_top.h"

namespace vta::kernels {
namespace {

void run(const std::vector<std::string>& arguments) {
  const std::string& root = arguments[0];
  VerilogTop top;
  CycleModelSource cycles;
  for (size_t i = 4; i < arguments.size(); ++i) {
    hlsc::ir::Design design = hlsc::front::compile({arguments[i], {root}, {}});
    hlsc::transform::prepare(design);
    const std::string name = std::filesystem::path(arguments[i]).stem().string();
    const hlsc::schedule::Schedule schedule = hlsc::schedule::schedule(design, {});
    top.add(name, design, schedule);
    cycles.add(name, design, schedule);
  }
  write_file(arguments[1], top.system_verilog());
  write_file(arguments[2], top.model());
  for (const auto& [name, text] : cycles.headers())
    write_file(std::filesystem::path(arguments[3]).replace_filename(name).string(), text);
  write_file(arguments[3], cycles.source());
}

}  // namespace
}  // namespace vta::kernels

int main(int argc, char** argv) {
  try {
    vta::kernels::run({argv + 1, argv + argc});
  } catch (const vta::Error& error) {
    fmt::print(stderr, "write_verilog: {}\n", error.what());
    return 1;
  }
}
