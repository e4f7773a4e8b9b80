// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/errors/printable.h"
#include "tools/sim/commands.h"
#include "tools/sim/program_export.h"
#include "tools/sim/program_source.h"

namespace vta::sim {
namespace {

struct ExportOptions {
  ProgramOptions program;
  std::string folder;
};

void write_raw_files(const ExportOptions& options) {
  Progress progress(stderr);
  const LoadedProgram loaded = load_program(options.program, progress);
  without_interruption([&] { export_program(loaded.program, options.folder); });
  print_out("{}: arena of {} bytes, {} instruction streams, program.json\n", options.folder,
            loaded.program.arena_bytes, streams_of(loaded.program).size());
}

}  // namespace

void add_export(Tool& tool) {
  Command command =
      tool.subcommand("export", "Write a program as raw files, for other VTA implementations");
  const auto options = std::make_shared<ExportOptions>();
  add_program_options(command, options->program);
  command.argument("folder", options->folder, "DIR", "Output folder");
  command.example("vta-sim export digits.vta digits_raw");
  command.action([options] { write_raw_files(*options); });
}

}  // namespace vta::sim
