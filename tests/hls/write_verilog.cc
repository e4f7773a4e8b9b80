// SPDX-License-Identifier: Apache-2.0
//
// Writes all kernels as one SystemVerilog design, the C++ that tells the test where their ports are
// in the Verilated model (verilog_top.h), and their cycle models (cycle_model_source.h).
#include <filesystem>
#include <string>
#include <vector>

#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/schedule/schedule.h"
#include "hw/hlsc/transform/prepare.h"
#include "runtime/base/command_line.h"
#include "runtime/base/file.h"
#include "tests/hls/cycle_model_source.h"
#include "tests/hls/verilog_top.h"

namespace vta::kernels {
namespace {

struct Request {
  std::string root, verilog, model, cycles;
  std::vector<std::string> kernels;
};

void run(const Request& request) {
  VerilogTop top;
  CycleModelSource cycles;
  for (const std::string& kernel : request.kernels) {
    hlsc::ir::Design design = hlsc::front::compile({kernel, {request.root}, {}});
    hlsc::transform::prepare(design);
    const std::string name = std::filesystem::path(kernel).stem().string();
    const hlsc::schedule::Schedule schedule = hlsc::schedule::schedule(design, {});
    top.add(name, design, schedule);
    cycles.add(name, design, schedule);
  }
  write_file(request.verilog, top.system_verilog());
  write_file(request.model, top.model());
  for (const auto& [name, text] : cycles.headers())
    write_file(std::filesystem::path(request.cycles).replace_filename(name).string(), text);
  write_file(request.cycles, cycles.source());
}

}  // namespace
}  // namespace vta::kernels

int main(int argc, char** argv) {
  vta::kernels::Request request;
  vta::Tool tool("write_verilog", "Writes kernels as one SystemVerilog design, and their models.",
                 "1");
  vta::Command command = tool.command();
  command.argument("root", request.root, "DIR", "Root of the sources");
  command.argument("verilog", request.verilog, "OUT.sv", "The design");
  command.argument("model", request.model, "OUT.cc", "Where its ports are when it is Verilated");
  command.argument("cycles", request.cycles, "OUT.cc", "Cycle models; their headers go beside it");
  command.arguments("kernels", request.kernels, "KERNEL.cc", "Their sources");
  command.example("write_verilog . all.sv model.cc cycles.cc tests/hls/kernels/histogram.cc");
  command.action([&] { vta::kernels::run(request); });
  return tool.run(argc, argv);
}
