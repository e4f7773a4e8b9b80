// SPDX-License-Identifier: Apache-2.0
//
// tests/hls/write_verilog, with other schedules than the scheduler's:
//   write_loosened SEED OUT.sv MODEL.cc CYCLES.cc KERNEL...
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "hw/hlsc/schedule/schedule.h"
#include "runtime/base/error.h"
#include "runtime/base/file.h"
#include "tests/hls/cycle_model_source.h"
#include "tests/hls/verilog_top.h"
#include "tests/unit/hlsc_schedule/compiled.h"
#include "tests/unit/hlsc_schedule/loosen.h"

namespace vta::hlsc::schedule {
namespace {

void run(const std::vector<std::string>& arguments) {
  constexpr size_t kFirst = 4;
  kernels::VerilogTop top;
  kernels::CycleModelSource cycles;
  size_t accepted = 0;
  for (size_t i = kFirst; i < arguments.size(); ++i) {
    const ir::Design design = compile_kernel(arguments[i]);
    Schedule schedule = schedule::schedule(design, {});
    accepted += loosen(design, schedule, std::stoull(arguments[0]) + i);
    top.add(arguments[i], design, schedule);
    cycles.add(arguments[i], design, schedule);
  }
  if (accepted < 10 * (arguments.size() - kFirst))
    fail(ErrorCode::kInvalidArgument, "{} changes are none to speak of", accepted);
  write_file(arguments[1], top.system_verilog());
  write_file(arguments[2], top.model());
  for (const auto& [name, text] : cycles.headers())
    write_file(std::filesystem::path(arguments[3]).replace_filename(name).string(), text);
  write_file(arguments[3], cycles.source());
}

}  // namespace
}  // namespace vta::hlsc::schedule

int main(int argc, char** argv) {
  try {
    vta::hlsc::schedule::run({argv + 1, argv + argc});
  } catch (const vta::Error& error) {
    fmt::print(stderr, "write_loosened: {}\n", error.what());
    return 1;
  }
}
