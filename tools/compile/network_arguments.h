// SPDX-License-Identifier: Apache-2.0
//
// How a network is read, quantized and scheduled, as the options that every tool that compiles has.
#ifndef VTA_TOOLS_COMPILE_NETWORK_ARGUMENTS_H_
#define VTA_TOOLS_COMPILE_NETWORK_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/command_line/command_line.h"
#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "runtime/dataset/dataset.h"

namespace vta {

inline constexpr const char* kDefaultCore = "vta_1x16";

// The arguments as given; absent ones have no value.
struct NetworkArguments {
  std::optional<std::string> core, weights, calibrate, mode, first_convolution, input_size,
      tuned_for, start, stop;
  std::vector<std::string> schedules;
  bool per_layer_streams = false, requantize = false;
  std::vector<std::string> batch_axes, input_shapes, input_values;  // of ONNX models
  // Options of quantization; quantize_options() has them as values.
  std::optional<std::string> quantize, per_channel, equalize, rounding, scales;
  std::vector<std::string> keep_float;
  import::PreprocessOptions preprocess;
  std::optional<uint64_t> seed;
  std::optional<std::string> memory_limit;  // also applies to programs
  std::optional<std::string> labels;  // not of add_network_arguments(): `run` takes programs, too
  // Not an option: a data set that supplies a few calibration images if the user and the network
  // name none (calibrates_otherwise()).
  std::optional<std::string> calibrate_otherwise;

  bool any() const;
  bool any_of_lowering() const;  // the core, and how layers become its instructions
  bool any_of_quantization() const;
};

// --core, --weights, --quantize, --per-channel, --equalize, --rounding, --scales, --keep-float,
// --calibrate,
// --requantize, --preprocess, --mean, --std, --scale, --channels, --layout, --resize, --mode,
// --per-layer-streams, --schedules, --tuned-for, --first-convolution, --start, --stop,
// --input-size, --input-shape,
// --batch-axis, --seed, --memory-limit.
void add_network_arguments(Command& command, NetworkArguments& arguments);

// Sets the limit of the process (base/limits/memory_limit.h). Errors: as parse_memory_size().
void apply_memory_limit(const NetworkArguments& arguments);

// Throws UsageError for calibration images that the chosen method would ignore.
void check_calibration(const NetworkArguments& arguments);

// Loads network `name` with the weights, input size, seed and memory limit of `arguments`.
// Errors: UsageError for a program file; as import::load_network().
import::Network load_network(const std::string& name, const NetworkArguments& arguments);

// The same of the bytes of an ONNX model; as import::parse_onnx_network().
import::Network parse_network(const std::string& name, std::span<const uint8_t> model,
                              const NetworkArguments& arguments);

// Whether the method uses calibration images, but neither the user nor the network names any.
bool calibrates_otherwise(const import::Network& network, const NetworkArguments& arguments);

// The options to compile `network` with, including its calibration images.
// Errors: as load_core_config() and find_dataset(); kInvalidArgument for a text that is none of an
// option's values.
CompileOptions compile_options(const import::Network& network, const NetworkArguments& arguments);

// Opens the data set that the command line names. A relative path is relative to the working folder
// or, failing that, to the installed networks. Errors: as parse_dataset_spec() and open_dataset().
Dataset find_dataset(const std::string& text, const std::vector<DatasetInput>& inputs);

}  // namespace vta

#endif  // VTA_TOOLS_COMPILE_NETWORK_ARGUMENTS_H_
