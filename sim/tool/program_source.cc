// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/program_source.h"

#include "compiler/compile.h"
#include "compiler/tool/quantize_options.h"
#include "configs/core_config.h"
#include "runtime/base/file.h"
#include "sim/tool/batched_inference.h"
#include "sim/tool/stopwatch.h"

namespace vta::sim {
namespace {

void refuse_network_options(const ProgramOptions& options) {
  if (options.core || options.weights || options.quantize || options.mode || options.seed ||
      options.calibrate || options.first_convolution || options.input_size ||
      options.quantize_options.any()) {
    throw UsageError(options.name +
                     ": --core, --weights, --quantize, --mode, --seed, --calibrate, "
                     "--first-convolution, --input-size and how to quantize are of networks; a "
                     "program is compiled already");
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
      .choices({"global", "max", "mse", "kl"});
  add_quantize_options(command, options.quantize_options);
  command.option("--calibrate", options.calibrate, kDatasetForms,
                 "Images that scales are chosen on");
  command.option("--mode", options.mode, "", "Schedule (default fused)")
      .choices({"fused", "compatible"});
  command
      .option("--first-convolution", options.first_convolution, "",
              "Where a first convolution of few channels runs (default: the network's, or host)")
      .choices({"host", "core"});
  command.option("--input-size", options.input_size, "HxW",
                 "Of a network of pictures, instead of its own");
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

Dataset find_dataset(const std::string& text, const TensorType& input,
                     const std::optional<ImageSpec>& image) {
  DatasetSpec spec = parse_dataset_spec(text);
  spec.path = import::find_beside(spec.path.string(), ".");
  return open_dataset(spec, input, image);
}

LoadedProgram compile_network(const ProgramOptions& options, Progress& progress) {
  const Stopwatch stopwatch;
  LoadedProgram loaded;
  CompileOptions compile_options;
  compile_options.core = load_core_config(options.core.value_or(kDefaultCore));
  progress.update("loading " + options.name, 0);
  import::NetworkOptions import_options = {options.weights.value_or(""), options.seed};
  if (options.input_size) {
    import_options.input_size = import::parse_input_size(*options.input_size);
  }
  const import::Network& network =
      loaded.network.emplace(import::load_network(options.name, import_options));
  compile_options.quantize = options.quantize.value_or("");
  compile_options.quantize_options = options.quantize_options;
  compile_options.mode = options.mode.value_or("fused");
  compile_options.first_convolution = options.first_convolution.value_or("");
  if (options.calibrate) {
    const TensorType& input = network.graph.node(network.graph.inputs().at(0)).type;
    compile_options.calibration =
        all_inputs(find_dataset(*options.calibrate, input, network.image));
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
