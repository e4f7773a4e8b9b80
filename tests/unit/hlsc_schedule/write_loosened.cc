// SPDX-License-Identifier: Apache-2.0
//
// tests/hls/write_verilog, with other schedules than the scheduler's.
#include <filesystem>
#include <string>
#include <vector>

#include "hw/hlsc/schedule/schedule.h"
#include "runtime/base/command_line.h"
#include "runtime/base/error.h"
#include "runtime/base/file.h"
#include "tests/hls/cycle_model_source.h"
#include "tests/hls/verilog_top.h"
#include "tests/unit/hlsc_schedule/compiled.h"
#include "tests/unit/hlsc_schedule/loosen.h"

namespace vta::hlsc::schedule {
namespace {

struct Request {
  uint64_t seed = 1;
  std::string verilog, model, cycles;
  std::vector<std::string> kernels;
};

void run(const Request& request) {
  kernels::VerilogTop top;
  kernels::CycleModelSource cycles;
  size_t accepted = 0;
  uint64_t seed = request.seed;
  for (const std::string& kernel : request.kernels) {
    const ir::Design design = compile_kernel(kernel);
    Schedule schedule = schedule::schedule(design, {});
    accepted += loosen(design, schedule, seed++);
    top.add(kernel, design, schedule);
    cycles.add(kernel, design, schedule);
  }
  if (accepted < 10 * request.kernels.size())
    fail(ErrorCode::kInvalidArgument, "{} changes are none to speak of", accepted);
  write_file(request.verilog, top.system_verilog());
  write_file(request.model, top.model());
  for (const auto& [name, text] : cycles.headers())
    write_file(std::filesystem::path(request.cycles).replace_filename(name).string(), text);
  write_file(request.cycles, cycles.source());
}

}  // namespace
}  // namespace vta::hlsc::schedule

int main(int argc, char** argv) {
  vta::hlsc::schedule::Request request;
  vta::Tool tool("write_loosened", "Does as write_verilog, with schedules of other steps.", "1");
  vta::Command command = tool.command();
  command.argument("verilog", request.verilog, "OUT.sv", "The design");
  command.argument("model", request.model, "OUT.cc", "Where its ports are when it is Verilated");
  command.argument("cycles", request.cycles, "OUT.cc", "Cycle models; their headers go beside it");
  command.arguments("kernels", request.kernels, "KERNEL", "Names of kernels in tests/hls/kernels");
  command.option("--seed", request.seed, "N", "Seed of the changes to the schedules");
  command.example("write_loosened all.sv model.cc cycles.cc histogram merge");
  command.action([&] { vta::hlsc::schedule::run(request); });
  return tool.run(argc, argv);
}
