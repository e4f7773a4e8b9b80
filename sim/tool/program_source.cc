// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/program_source.h"

#include "compiler/compile.h"
#include "configs/core_config.h"
#include "runtime/base/file.h"
#include "sim/tool/batched_inference.h"
#include "sim/tool/dataset.h"
#include "sim/tool/stopwatch.h"

namespace vta::sim {
namespace {

void refuse_network_options(const ProgramOptions& options) {
  if (options.core || options.weights || options.quantize || options.mode || options.seed ||
      options.calibrate) {
    throw UsageError(options.name +
                     ": --core, --weights, --quantize, --mode, --seed and --calibrate are of "
                     "networks; a program is compiled already");
  }
}

}  // namespace

void add_program_options(Command& command, ProgramOptions& options) {
  command.argument("program", options.name, "NET|PROGRAM", "Network (.json) or program (.vta)");
  command.option("--core", options.core, "NAME",
                 "Core to compile for: a name or a file (default vta_1x16)");
  command.option("--weights", options.weights, "FILE",
                 "Weights instead of the network's own, or 'synthetic'");
  command
      .option("--quantize", options.quantize, "", "How scales are chosen (default: the network's)")
      .choices({"global", "max", "mse"});
  command.option("--calibrate", options.calibrate, "cifar10:FILE[:COUNT]|npz:FILE[:COUNT]",
                 "Images that scales are chosen on");
  command.option("--mode", options.mode, "", "Schedule (default fused)")
      .choices({"fused", "compatible"});
  command.option("--seed", options.seed, "N",
                 "Of synthetic weights (default: the network's, or 1)");
}

bool names_program_file(const std::string& name) { return name.ends_with(".vta"); }

LoadedProgram load_program(const ProgramOptions& options, Progress& progress) {
  if (!names_program_file(options.name)) return compile_network(options, progress);
  refuse_network_options(options);
  LoadedProgram loaded;
  loaded.program = read_program(options.name);
  check_batched(loaded.program);
  loaded.folder = std::filesystem::path(options.name).parent_path();
  return loaded;
}

LoadedProgram compile_network(const ProgramOptions& options, Progress& progress) {
  const Stopwatch stopwatch;
  LoadedProgram loaded;
  CompileOptions compile_options;
  compile_options.core = load_core_config(options.core.value_or(kDefaultCore));
  progress.update("loading " + options.name, 0);
  const import::Network& network = loaded.network.emplace(
      import::load_network(options.name, {options.weights.value_or(""), options.seed}));
  compile_options.quantize = options.quantize.value_or("");
  compile_options.mode = options.mode.value_or("fused");
  if (options.calibrate) {
    const TensorType& input = network.graph.node(network.graph.inputs().at(0)).type;
    const DatasetSpec spec = parse_dataset_spec(*options.calibrate);
    compile_options.calibration = read_dataset(spec, input, network.image).inputs;
  }
  compile_options.on_progress = [&](const std::string& what, double fraction) {
    progress.update(what, fraction);
  };
  loaded.program = compile(network, compile_options).program;
  check_batched(loaded.program);
  loaded.folder = network.folder;
  loaded.compile_seconds = stopwatch.seconds();
  progress.clear();
  return loaded;
}

}  // namespace vta::sim
