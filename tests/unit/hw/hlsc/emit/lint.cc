// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/hlsc/emit/lint.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "hw/hlsc/emit/names.h"
#include "hw/hlsc/emit/verilog.h"
#include "hw/hlsc/schedule/scheduler.h"

namespace vta::hlsc::emit {

namespace {

// What a command prints, without Verilator 5.032's report: lines that start with "- ".
std::string output_of(const std::string& command, const std::string& log) {
  const int status = std::system(fmt::format("{} > {} 2>&1", command, log).c_str());
  std::istringstream lines(read_text_file(log));
  std::string output;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("- ")) output += line + "\n";
  }
  if (status != 0 && output.empty()) output = fmt::format("{} fails without a message\n", command);
  return output;
}

}  // namespace

std::string lint(const ir::Design& design) {
  std::string all;
  for (const DramPorts dram_ports : {DramPorts::kStreams, DramPorts::kAxi}) {
    const ScratchFolder folder;
    const std::string file = folder / "design.sv", top = named(design).name;
    const schedule::Schedule schedule = schedule::schedule(design, {});
    write_file(file, verilog(design, schedule, bind::bind(design, schedule), dram_ports));
    const std::string sources = fmt::format("{} hw/rtl/hls_*.sv", file);
    all += output_of(
        fmt::format("{} --lint-only -Wall -Wno-DECLFILENAME -Wno-UNUSED --top-module {} {}",
                    VTA_VERILATOR, top, sources),
        folder / "log");
    for (const char* view : {"", "-DHLS_SIMULATION"}) {
      all += output_of(fmt::format("{} -g2012 -Wall -t null -s {} {} -o {} {}", VTA_ICARUS, top,
                                   view, folder / "null", sources),
                       folder / "log");
    }
  }
  return all;
}

}  // namespace vta::hlsc::emit
