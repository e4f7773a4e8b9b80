// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/program_source.h"

#include "compiler/compile.h"
#include "tools/compile/noted_options.h"
#include "tools/sim/batched_inference.h"
#include "tools/sim/stopwatch.h"

namespace vta::sim {
namespace {

constexpr const char* kProgramSuffix = ".vta";

void refuse_network_options(const ProgramOptions& options) {
  if (!options.network.any()) return;
  throw UsageError(options.name +
                   ": --core, --weights, --quantize, --mode, --seed, --calibrate, "
                   "--per-layer-streams, --schedules, --tuned-for, --first-convolution, "
                   "--input-size, --preprocess and the "
                   "options of quantization and preprocessing apply to networks; this program is "
                   "already compiled");
}

}  // namespace

void add_program_options(Command& command, ProgramOptions& options) {
  command.argument("program", options.name, "NET|PROGRAM",
                   "Network (.json, .onnx, .vtaq) or program (.vta)");
  add_network_arguments(command, options.network);
}

void add_network_options(Command& command, ProgramOptions& options) {
  command.argument("network", options.name, "NET", "Network (.json, .onnx, .vtaq)");
  add_network_arguments(command, options.network);
}

bool names_program_file(const std::string& name) {
  return name.ends_with(kProgramSuffix) || is_program_file(name);
}

LoadedProgram load_program(const ProgramOptions& options, Progress& progress) {
  if (!names_program_file(options.name)) return compile_network(options, progress);
  refuse_network_options(options);
  apply_memory_limit(options.network);
  LoadedProgram loaded;
  loaded.program = read_program(options.name);
  loaded.calibration = loaded.program.calibration;
  check_batched(loaded.program);
  loaded.folder = std::filesystem::path(options.name).parent_path();
  return loaded;
}

LoadedProgram compile_network(const ProgramOptions& options, Progress& progress) {
  const Stopwatch stopwatch;
  check_calibration(options.network);
  LoadedProgram loaded;
  progress.update("loading " + options.name, 0);
  const import::Network& network =
      loaded.network.emplace(load_network(options.name, options.network));
  CompileOptions how = noted_compile_options(network, options.network);
  how.measure_noise = options.measure_noise;
  how.on_progress = [&](const std::string& what, double fraction) {
    progress.update(what, fraction);
  };
  CompileResult compiled = compile(network, how);
  loaded.program = std::move(compiled.program);
  loaded.layers = std::move(compiled.layers);
  loaded.noise = std::move(compiled.noise);
  loaded.calibration = std::move(compiled.calibration);
  check_batched(loaded.program);
  loaded.folder = network.folder;
  loaded.compile_seconds = stopwatch.seconds();
  progress.clear();
  return loaded;
}

}  // namespace vta::sim
