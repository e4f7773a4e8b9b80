// SPDX-License-Identifier: Apache-2.0
//
// Writes all kernels as one SystemVerilog design, with its C++ files (kernel_files.h).
#include <filesystem>
#include <string>
#include <vector>

#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "hw/hlsc/transform/prepare.h"
#include "runtime/base/command_line.h"
#include "tests/hls/kernel_files.h"

namespace vta::kernels {
namespace {

struct Request {
  std::string root;
  KernelFiles files;
  std::vector<std::string> kernels;
};

void run(Request& request) {
  for (const std::string& kernel : request.kernels) {
    hlsc::ir::Design design = hlsc::front::compile({kernel, {request.root}, {}});
    hlsc::transform::prepare(design);
    const std::string name = std::filesystem::path(kernel).stem().string();
    request.files.add(name, design, hlsc::schedule::schedule(design, {}));
  }
  request.files.write();
}

}  // namespace
}  // namespace vta::kernels

int main(int argc, char** argv) {
  vta::kernels::Request request;
  vta::Tool tool("write_verilog", "Writes kernels as one SystemVerilog design, and their models.",
                 "1");
  vta::Command command = tool.command();
  command.argument("root", request.root, "DIR", "Root of the sources");
  request.files.add_arguments(command);
  command.arguments("kernels", request.kernels, "KERNEL.cc", "Their sources");
  command.example("write_verilog . all.sv model.cc cycles.cc tests/hls/kernels/histogram.cc");
  command.action([&] { vta::kernels::run(request); });
  return tool.run(argc, argv);
}
