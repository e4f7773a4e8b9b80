// SPDX-License-Identifier: Apache-2.0
//
// tests/hls/write_verilog with schedules that the scheduler would not make.
#include <string>
#include <vector>

#include "base/command_line/command_line.h"
#include "base/errors/error.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "tests/hls/kernel_files.h"
#include "tests/unit/hw/hlsc/schedule/compiled.h"
#include "tests/unit/hw/hlsc/schedule/loosen.h"

namespace vta::hlsc::schedule {
namespace {

struct Request {
  uint64_t seed = 1;
  kernels::KernelFiles files;
  std::vector<std::string> kernels;
};

void run(Request& request) {
  size_t accepted = 0;
  uint64_t seed = request.seed;
  for (const std::string& kernel : request.kernels) {
    const ir::Design design = compile_kernel(kernel);
    Schedule schedule = schedule::schedule(design, {});
    accepted += loosen(design, schedule, seed++);
    request.files.add(kernel, design, schedule);
  }
  if (accepted < 10 * request.kernels.size())
    fail(ErrorCode::kInvalidArgument, "{} changes are none to speak of", accepted);
  request.files.write();
}

}  // namespace
}  // namespace vta::hlsc::schedule

int main(int argc, char** argv) {
  vta::hlsc::schedule::Request request;
  vta::Tool tool("write_loosened", "Does as write_verilog, with schedules of other steps.", "1");
  vta::Command command = tool.command();
  request.files.add_arguments(command);
  command.arguments("kernels", request.kernels, "KERNEL", "Names of kernels in tests/hls/kernels");
  command.option("--seed", request.seed, "N", "Seed of the changes to the schedules");
  command.example("write_loosened all.sv model.cc cycles.cc histogram merge");
  command.action([&] { vta::hlsc::schedule::run(request); });
  return tool.run(argc, argv);
}
