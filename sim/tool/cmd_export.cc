// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "runtime/base/command_line.h"
#include "sim/tool/commands.h"
#include "sim/tool/program_export.h"
#include "sim/tool/program_source.h"

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
  size_t num_streams = 0;
  for (const ProgramStep& step : loaded.program.steps)
    num_streams += step.kind == ProgramStep::Kind::kCore;
  fmt::print("{}: arena of {} bytes, {} instruction streams, program.json\n", options.folder,
             loaded.program.arena_bytes, num_streams);
}

}  // namespace

void add_export(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("export", "Write a program as raw files, for other VTA implementations");
  const auto options = std::make_shared<ExportOptions>();
  add_program_options(*command, options->program);
  command->add_option("folder", options->folder, "Where the files go")
      ->required()
      ->type_name("DIR");
  command->footer("Example:\n  vta-sim export digits.vta digits_raw");
  command->callback([options] { write_raw_files(*options); });
}

}  // namespace vta::sim
