// SPDX-License-Identifier: Apache-2.0
//
// Writes all kernels as one SystemVerilog design, with its C++ files (kernel_files.h).
#include <filesystem>
#include <string>
#include <vector>

#include "base/command_line/command_line.h"
#include "base/files/file.h"
#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/passes/pipeline.h"
#include "hw/hlsc/report/report.h"
#include "hw/hlsc/schedule/fit_period.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "tests/hls/kernel_files.h"

namespace vta::kernels {
namespace {

struct Request {
  std::string root;
  KernelFiles files;
  std::vector<std::string> kernels;
  std::string reports;  // "": none
};

// Scheduler options of a kernel; four differ from the default.
hlsc::schedule::Options options_of(const std::string& kernel) {
  hlsc::schedule::Options options;
  if (kernel == "table_product") options.ram_output_registers = true;
  if (kernel == "table_sum") options.period_ns = 5;
  if (kernel == "fast_operations" || kernel == "cordic")
    options = {.period_ns = 4, .margin_ns = 0.4};
  return options;
}

void run(Request& request) {
  std::string reports;
  for (const std::string& kernel : request.kernels) {
    hlsc::ir::Design design = hlsc::front::compile({kernel, {request.root}, {}});
    hlsc::passes::legalize(design);
    const std::string name = std::filesystem::path(kernel).stem().string();
    hlsc::schedule::fit_period(design, options_of(name));
    const hlsc::schedule::Schedule schedule = hlsc::schedule::schedule(design, options_of(name));
    request.files.add(name, design, schedule);
    const hlsc::report::Report report =
        hlsc::report::report(design, schedule, hlsc::bind::bind(design, schedule));
    reports += (reports.empty() ? "[" : ",\n") + json_of(report, false);
  }
  request.files.write();
  if (!request.reports.empty()) write_file(request.reports, reports + "]\n");
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
  command.option("--reports", request.reports, "FILE",
                 "Write the reports of all kernels to it, an array of JSON");
  command.example("write_verilog . all.sv model.cc cycles.cc tests/hls/kernels/histogram.cc");
  command.action([&] { vta::kernels::run(request); });
  return tool.run(argc, argv);
}
