// SPDX-License-Identifier: Apache-2.0
#include "tools/compile/network_arguments.h"

#include <utility>

#include "base/files/file_roles.h"
#include "base/limits/memory_limit.h"
#include "compiler/graph/passes/independent_images.h"
#include "configs/config_files.h"
#include "configs/memory_clock.h"
#include "configs/memory_config.h"

namespace vta {
namespace {

// "pynq-z1@100" as logs have it: "pynq-z1". Errors: of name_at_clock().
std::string name_in_logs(const std::string& memory) {
  const ClockedMemory named = split_memory_clock(memory);
  return named.clock_mhz ? name_at_clock(named.name, *named.clock_mhz) : memory;
}

// Enough for adaptive rounding at a small cost in time.
constexpr int64_t kFewImages = 16, kAllImages = INT64_MAX;

void add_quantize_options(Command& command, NetworkArguments& arguments) {
  command
      .option("--quantize", arguments.quantize, "",
              "Method that chooses the scales (default: mse with calibration images, else the "
              "network's)")
      .choices({"global", "max", "mse", "kl"});
  command
      .option(
          "--per-channel", arguments.per_channel, "",
          "Weight scales per output channel, where they reduce the error (default: on for mse and "
          "kl with at least 8 calibration inputs)")
      .choices({"on", "off"});
  command.option("--equalize", arguments.equalize, "", "Cross-layer equalization (default: off)")
      .choices({"on", "off"});
  command
      .option(
          "--rounding", arguments.rounding, "",
          "Weight rounding: nearest, or adaptive (minimizes the layer's output error; default for "
          "mse, kl and free scales with at least 8 calibration inputs)")
      .choices({"nearest", "adaptive"});
  command
      .option("--scales", arguments.scales, "",
              "power-of-two, free (any value and zero points, weights per channel), or auto "
              "(default): free with 16 --calibrate images of a trained network")
      .choices({"auto", "power-of-two", "free"});
  command
      .option("--keep-float", arguments.keep_float, "LAYER|auto:DB",
              "Compute this layer in fp32 on the host; auto:30: the layers that a signal-to-noise "
              "ratio of 30 dB on calibration inputs needs")
      .one_each_time();
  command.option("--calibrate", arguments.calibrate, kDatasetForms, "Calibration images");
  command.flag("--requantize", arguments.requantize,
               "Drop the scales of a network that is quantized already, and quantize it anew");
}

void add_preprocess_options(Command& command, import::PreprocessOptions& preprocess) {
  command
      .option("--preprocess", preprocess.preset, "",
              "How images become the input: imagenet, none (pixels from 0 to 255), 0-1, -1-1 "
              "(default: the network's)")
      .choices({"imagenet", "none", "0-1", "-1-1"});
  command.option("--mean", preprocess.mean, "M[,M,M]",
                 "Mean of (pixel * scale - mean) / std, one or per channel");
  command.option("--std", preprocess.stddev, "S[,S,S]", "Standard deviation of the same");
  command.option("--scale", preprocess.scale, "X", "Scale of the same, such as 1/255");
  command.option("--channels", preprocess.channels, "", "Order of the input's channels")
      .choices({"rgb", "bgr", "gray"});
  command
      .option("--layout", preprocess.layout, "",
              "Axes of the image input: nchw, or nhwc with the channels last")
      .choices({"nchw", "nhwc"});
  command.option("--resize", preprocess.resize, "HOW",
                 "Fit images by HxW or N (the short side) and a center crop, stretch, or "
                 "letterbox[:LEVEL]");
}

bool on_or_off(const char* option, const std::string& text) {
  if (text != "on" && text != "off")
    fail(ErrorCode::kInvalidArgument, "{} '{}' is not one of on, off", option, text);
  return text == "on";
}

Place first_convolution(const std::string& text) {
  if (const std::optional<Place> place = place_from_string(text)) return *place;
  fail(ErrorCode::kInvalidArgument, "first convolution on '{}' is not one of host, core", text);
}

QuantizeOptions quantize_options(const NetworkArguments& arguments) {
  QuantizeOptions options;
  if (arguments.quantize) options.method = quantize::method_from_string(*arguments.quantize);
  if (arguments.per_channel) options.per_channel = on_or_off("per-channel", *arguments.per_channel);
  if (arguments.equalize) options.equalize = on_or_off("equalize", *arguments.equalize);
  if (arguments.rounding) options.rounding = quantize::rounding_from_string(*arguments.rounding);
  if (arguments.scales) options.scales = quantize::scales_from_string(*arguments.scales);
  options.keep_float = arguments.keep_float;
  return options;
}

// At most `count` sets of calibration inputs.
std::vector<std::vector<Tensor>> calibration_sets(const import::Network& network,
                                                  const std::string& text, int64_t count) {
  std::vector<DatasetInput> inputs;
  const int64_t batch = graph::independent_images(network.graph);
  for (graph::NodeId id : network.graph.inputs()) {
    TensorType of_image = network.graph.node(id).type;
    if (batch > 1) of_image.shape[0] /= batch;
    inputs.push_back({network.graph.node(id).name, of_image, network.image});
  }
  return all_inputs(in_batches(spread_images(find_dataset(text, inputs), count), batch));
}

import::NetworkOptions import_options(const NetworkArguments& arguments) {
  import::NetworkOptions options = {arguments.weights.value_or(""), arguments.seed};
  options.preprocess = arguments.preprocess;
  options.batch_axes = arguments.batch_axes;
  options.input_shapes = arguments.input_shapes;
  options.input_values = arguments.input_values;
  if (arguments.input_size) options.input_size = import::parse_input_size(*arguments.input_size);
  return options;
}

}  // namespace

bool NetworkArguments::any() const {
  return any_of_lowering() || any_of_quantization() || weights || input_size ||
         !batch_axes.empty() || !input_shapes.empty() || !input_values.empty() || seed ||
         preprocess.any();
}

bool NetworkArguments::any_of_lowering() const {
  return core || mode || per_layer_streams || first_convolution || !schedules.empty() ||
         tuned_for || start || stop;
}

bool NetworkArguments::any_of_quantization() const {
  return quantize || per_channel || equalize || rounding || scales.value_or("auto") != "auto" ||
         !keep_float.empty() || calibrate || requantize;
}

void add_network_arguments(Command& command, NetworkArguments& arguments) {
  command.option("--core", arguments.core, "NAME",
                 "Core to compile for: a name or a file (default vta_1x16)");
  command.option("--weights", arguments.weights, "FILE",
                 "Weights that replace the network's, or 'synthetic'");
  add_quantize_options(command, arguments);
  command
      .option("--mode", arguments.mode, "",
              "Schedule: fused, or compatible with VTA's own compiler (default fused)")
      .choices({"fused", "compatible"});
  command.flag("--per-layer-streams", arguments.per_layer_streams,
               "Run each layer by itself instead of overlapping consecutive layers of the core "
               "(as --mode compatible does)");
  command
      .option("--schedules", arguments.schedules, "LOG",
              "Tilings from a log of `vta-sim tune`, or from several if it is given several times; "
              "'zoo' (default): from the logs in schedules/ of the configuration folders; 'none': "
              "the search alone")
      .one_each_time();
  command.option("--tuned-for", arguments.tuned_for, "MEMORY",
                 "Take tilings that were measured with this memory (default ideal64)");
  command
      .option("--first-convolution", arguments.first_convolution, "",
              "Where a first convolution of few channels runs (default: the network's, or core; "
              "host in mode compatible)")
      .choices({"host", "core"});
  command.option("--start", arguments.start, "NAME",
                 "First layer that may be on the core: a name, or an operator such as max_pool2d");
  command.option("--stop", arguments.stop, "NAME",
                 "First layer after it that is on the host again, as all after it");
  command.option("--input-size", arguments.input_size, "HxW",
                 "Size of the input image (default: the network's)");
  command
      .option("--input-shape", arguments.input_shapes, "[NAME=]SIZES",
              "Sizes of an input that an ONNX model leaves open, such as ids=1x128")
      .one_each_time();
  command
      .option("--input-value", arguments.input_values, "NAME=VALUE",
              "Make an input of an ONNX model a constant, which branches and shapes may need: "
              "sr=16000, or sizes=1,3,48,320")
      .one_each_time();
  command
      .option("--batch-axis", arguments.batch_axes, "[NAME=]AXIS",
              "Batch axis of an ONNX model's inputs, or of one input; if its size is open, it "
              "becomes 1 (default: by its name, or a first axis whose rows no operator combines)")
      .one_each_time();
  add_preprocess_options(command, arguments.preprocess);
  command.option("--seed", arguments.seed, "N",
                 "Seed of synthetic weights (default: the network's, or 1)");
  command.option("--memory-limit", arguments.memory_limit, "SIZE",
                 "Memory for arrays and tensors, such as 512M or 2G (default: half of the "
                 "machine's)");
}

void apply_memory_limit(const NetworkArguments& arguments) {
  if (!arguments.memory_limit) return;
  with_context("--memory-limit",
               [&] { set_memory_limit_bytes(parse_memory_size(*arguments.memory_limit)); });
}

void check_calibration(const NetworkArguments& arguments) {
  if (arguments.calibrate && arguments.quantize == "global")
    throw UsageError("--quantize global uses no calibration images; it excludes --calibrate");
}

import::Network load_network(const std::string& name, const NetworkArguments& arguments) {
  if (is_program_file(name)) {
    throw UsageError(name + ": expected a network, got a compiled program");
  }
  if (arguments.tuned_for && !arguments.schedules.empty() && !names_logs(arguments.schedules))
    throw UsageError("--schedules none has no tilings; it excludes --tuned-for");
  apply_memory_limit(arguments);
  import::Network network = import::load_network(name, import_options(arguments));
  // Also those that this command does not read, such as the sample.
  for (const std::filesystem::path& file : network.files()) note_input(file);
  return network;
}

import::Network parse_network(const std::string& name, std::span<const uint8_t> model,
                              const NetworkArguments& arguments) {
  apply_memory_limit(arguments);
  return import::parse_onnx_network(name, model, import_options(arguments));
}

CompileOptions compile_options(const import::Network& network, const NetworkArguments& arguments) {
  CompileOptions result;
  result.core = load_core_config(arguments.core.value_or(kDefaultCore));
  result.quantize = quantize_options(arguments);
  result.requantize = arguments.requantize;
  if (arguments.mode) result.mode = lower::mode_from_string(*arguments.mode);
  result.per_layer_streams = arguments.per_layer_streams;
  result.schedules = arguments.schedules;
  if (result.schedules.empty()) result.schedules = {kZooSchedules};
  result.tuned_for = arguments.tuned_for ? name_in_logs(*arguments.tuned_for) : kScheduleMemory;
  result.labels = arguments.labels.value_or("");
  if (arguments.first_convolution)
    result.first_convolution = first_convolution(*arguments.first_convolution);
  result.start = arguments.start.value_or("");
  result.stop = arguments.stop.value_or("");
  if (arguments.calibrate) {
    result.calibration = calibration_sets(network, *arguments.calibrate, kAllImages);
  } else if (arguments.calibrate_otherwise && calibrates_otherwise(network, arguments)) {
    result.calibration = calibration_sets(network, *arguments.calibrate_otherwise, kFewImages);
  }
  return result;
}

bool calibrates_otherwise(const import::Network& network, const NetworkArguments& arguments) {
  return !arguments.calibrate && network.calibration.empty() &&
         (!network.is_quantized || arguments.requantize) && arguments.quantize != "global";
}

Dataset find_dataset(const std::string& text, const std::vector<DatasetInput>& inputs) {
  DatasetSpec spec = parse_dataset_spec(text);
  spec.path = find_beside(spec.path.string(), ".");
  return open_dataset(spec, inputs);
}

}  // namespace vta
