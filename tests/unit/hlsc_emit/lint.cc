// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hlsc_emit/lint.h"

#include <fmt/format.h>

#include <cstdlib>

#include "hw/hlsc/emit/names.h"
#include "hw/hlsc/emit/verilog.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "runtime/base/file.h"
#include "runtime/base/scratch_folder.h"

namespace vta::hlsc::emit {

std::string lint(const ir::Design& design) {
  std::string all;
  for (const DramPorts dram_ports : {DramPorts::kStreams, DramPorts::kAxi}) {
    const ScratchFolder folder;
    const schedule::Schedule schedule = schedule::schedule(design, {});
    write_file(folder / "design.sv",
               verilog(design, schedule, bind::bind(design, schedule), dram_ports));
    const std::string log = folder / "log";
    const std::string command = fmt::format(
        "{} --lint-only -Wall -Wno-DECLFILENAME -Wno-UNUSED --top-module {} {} "
        "hw/rtl/hls_*.sv > {} 2>&1",
        VTA_VERILATOR, named(design).name, folder / "design.sv", log);
    const int status = std::system(command.c_str());
    all += read_text_file(log);
    if (status != 0 && all.empty()) all = "verilator failed without output";
  }
  return all;
}

}  // namespace vta::hlsc::emit
