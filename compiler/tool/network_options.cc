// SPDX-License-Identifier: Apache-2.0
#include "compiler/tool/network_options.h"

#include <utility>

namespace vta {
namespace {

void add_quantize_options(Command& command, NetworkOptions& options) {
  command
      .option("--quantize", options.quantize, "", "How scales are chosen (default: the network's)")
      .choices({"global", "max", "mse", "kl"});
  command
      .option("--per-channel", options.quantize_options.per_channel, "",
              "Scales of weights for each output channel, where they help")
      .choices({"on", "off"});
  command
      .option("--equalize", options.quantize_options.equalize, "",
              "Move powers of two from one layer's channels to the next")
      .choices({"on", "off"});
  command
      .option("--rounding", options.quantize_options.rounding, "",
              "Of weights: each by itself, or such that the layer's result stays")
      .choices({"nearest", "adaptive"});
  command
      .option("--keep-float", options.quantize_options.keep_float, "LAYER",
              "Compute this layer in fp32 on the host")
      .one_each_time();
  command.option("--calibrate", options.calibrate, kDatasetForms,
                 "Images that scales are chosen on");
}

}  // namespace

bool NetworkOptions::any() const {
  return core || weights || quantize || calibrate || mode || first_convolution || input_size ||
         seed || quantize_options.any();
}

void add_network_options(Command& command, NetworkOptions& options) {
  command.option("--core", options.core, "NAME",
                 "Core to compile for: a name or a file (default vta_1x16)");
  command.option("--weights", options.weights, "FILE",
                 "Weights instead of the network's own, or 'synthetic'");
  add_quantize_options(command, options);
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

import::Network load_network(const std::string& name, const NetworkOptions& options) {
  import::NetworkOptions import_options = {options.weights.value_or(""), options.seed};
  if (options.input_size) {
    import_options.input_size = import::parse_input_size(*options.input_size);
  }
  return import::load_network(name, import_options);
}

CompileOptions compile_options(const import::Network& network, const NetworkOptions& options) {
  CompileOptions result;
  result.core = load_core_config(options.core.value_or(kDefaultCore));
  result.quantize = options.quantize.value_or("");
  result.quantize_options = options.quantize_options;
  result.mode = options.mode.value_or("fused");
  result.first_convolution = options.first_convolution.value_or("");
  if (options.calibrate) {
    const TensorType& input = network.graph.node(network.graph.inputs().at(0)).type;
    result.calibration = all_inputs(find_dataset(*options.calibrate, input, network.image));
  }
  return result;
}

Dataset find_dataset(const std::string& text, const TensorType& input,
                     const std::optional<ImageSpec>& image) {
  DatasetSpec spec = parse_dataset_spec(text);
  spec.path = import::find_beside(spec.path.string(), ".");
  return open_dataset(spec, input, image);
}

}  // namespace vta
