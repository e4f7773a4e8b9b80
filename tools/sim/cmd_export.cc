// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/errors/counted.h"
#include "base/errors/printable.h"
#include "tools/sim/commands.h"
#include "tools/sim/portability.h"
#include "tools/sim/program_export.h"
#include "tools/sim/program_source.h"

namespace vta::sim {
namespace {

struct ExportOptions {
  ProgramOptions program;
  std::string folder;
  uint64_t base_bytes = 0;
};

void write_raw_files(const ExportOptions& options) {
  Progress progress(stderr);
  ProgramOptions how = options.program;
  // Other implementations run no other mode.
  if (!names_program_file(how.name) && !how.network.mode)
    how.network.mode = lower::to_string(lower::Mode::kCompatible);
  const LoadedProgram loaded = load_program(how, progress);
  without_interruption([&] { export_program(loaded.program, options.folder, options.base_bytes); });
  print_out("{}: arena of {} bytes, {}, program.json\n", options.folder, loaded.program.arena_bytes,
            counted(streams_of(loaded.program).size(), "instruction stream"));
  for (const std::string& note : portability_notes(loaded.program, options.base_bytes))
    print_out("note: {}\n", note);
}

}  // namespace

void add_export(Tool& tool) {
  Command command =
      tool.subcommand("export",
                      "Write a program as raw files, for other VTA implementations; a "
                      "network is compiled with --mode compatible by default");
  const auto options = std::make_shared<ExportOptions>();
  add_program_options(command, options->program);
  command.argument("folder", options->folder, "DIR", "Output folder");
  command
      .option("--base", options->base_bytes, "BYTES",
              "Where the arena will be in the memory that dram_base counts from (default: 0)")
      .at_most(kMaxBaseBytes);
  command.example("vta-sim export digits.vta digits_raw");
  command.action([options] { write_raw_files(*options); });
}

}  // namespace vta::sim
