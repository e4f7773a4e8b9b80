// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/errors/printable.h"
#include "base/files/file.h"
#include "configs/board_config.h"
#include "configs/config_files.h"
#include "configs/memory_config.h"
#include "sim/analysis/explore/core_space.h"
#include "sim/analysis/explore/routed_cores.h"
#include "sim/analysis/report/headlines.h"
#include "sim/analysis/report/network_report.h"
#include "sim/analysis/report/page.h"
#include "sim/analysis/report/report_json.h"
#include "sim/cycle/cycle_device.h"
#include "sim/timed/timed_device.h"
#include "tools/sim/commands.h"
#include "tools/sim/device_options.h"
#include "tools/sim/made_by.h"
#include "tools/sim/other_cores.h"
#include "tools/sim/program_source.h"

namespace vta::sim {
namespace {

struct ReportOptions {
  ProgramOptions program;
  std::string memory = kDefaultMemory;
  std::string output;
  std::optional<double> clock;  // MHz
  bool json = false;
};

// The part of the first board whose bitstream has the core, else the default part.
FpgaPart part_for(const CoreConfig& core) {
  for (const std::string& name : installed_config_names("boards")) {
    const BoardConfig board = load_board_config(name);
    if (board.core != core.name) continue;
    for (const FpgaPart& part : fpga_parts())
      if (board.part.starts_with(part.name)) return part;
  }
  return find_fpga_part(kDefaultPart);
}

// nullopt if the core has not been mapped to an FPGA.
std::optional<FpgaUse> fpga_use(const CoreConfig& core) {
  const std::optional<FpgaResources> uses = routed_resources(core);
  if (!uses) return std::nullopt;
  return FpgaUse{part_for(core), *uses};
}

void report(const ReportOptions& options) {
  Progress progress(stderr);
  ProgramOptions how = options.program;
  how.measure_noise = true;
  const LoadedProgram loaded = load_program(how, progress);
  const auto make_device = [](const CoreConfig& core, const MemoryConfig& memory) {
    return make_timing_device(core, memory, make_other_core);
  };
  const MemoryAtClock at = load_memory_at(options.memory, options.clock);
  const NetworkReport report = make_network_report(
      {make_device, loaded.program, loaded.layers, loaded.noise, loaded.calibration, at.memory,
       at.clock_mhz,
       [&](const std::string& what, double fraction) { progress.update(what, fraction); },
       fpga_use(loaded.program.core)});
  progress.clear();
  const std::string json = to_json(report);
  if (options.output.empty() && options.json) return print_out("{}\n", json);
  if (!options.output.empty()) {
    const std::string title = report.network + " on " + report.core.name;
    const std::string text = options.json ? json + "\n" : report_page(title, made_by(), json);
    without_interruption([&] { write_file(options.output, text); });
  }
  print_out("{}", to_text(headlines(report)));
}

}  // namespace

void add_report(Tool& tool) {
  Command command = tool.subcommand(
      "report", "Measure where cycles and bytes go on the cycle model, and show it on a page");
  const auto options = std::make_shared<ReportOptions>();
  add_program_options(command, options->program);
  command.output(
      "-o,--out", options->output, "FILE",
      "Write the page, one HTML file that needs no network; with --json, the JSON object");
  command.option("--memory", options->memory, "NAME", "DRAM model: a name or a file");
  add_clock_option(command, options->clock);
  command.flag("--json", options->json,
               "The report as one JSON object, printed or in the file of -o");
  command.example("vta-sim report resnet18.json -o resnet18.html");
  command.action([options] { report(*options); });
}

}  // namespace vta::sim
