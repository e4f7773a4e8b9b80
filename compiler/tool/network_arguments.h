// SPDX-License-Identifier: Apache-2.0
//
// How a network is read, quantized and scheduled, as the options that every tool that compiles has.
#ifndef VTA_COMPILER_TOOL_NETWORK_ARGUMENTS_H_
#define VTA_COMPILER_TOOL_NETWORK_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "runtime/base/command_line.h"
#include "runtime/dataset/dataset.h"

namespace vta {

inline constexpr const char* kDefaultCore = "vta_1x16";

// What was not said has no value.
struct NetworkArguments {
  std::optional<std::string> core, weights, quantize, calibrate, mode, first_convolution,
      input_size;
  QuantizeOptions quantize_options;
  std::optional<uint64_t> seed;
  // No argument: a data set that a few images are taken of where scales would otherwise be chosen
  // on less (calibrates_otherwise()).
  std::optional<std::string> calibrate_otherwise;

  bool any() const;
};

// --core, --weights, --quantize, --per-channel, --equalize, --rounding, --keep-float, --calibrate,
// --mode, --first-convolution, --input-size, --seed.
void add_network_arguments(Command& command, NetworkArguments& arguments);

// Throws UsageError for calibration images that the method which is asked for would not look at.
void check_calibration(const NetworkArguments& arguments);

// The network file `name` with the weights, input size and seed that `arguments` say.
// Errors: UsageError for a program file; those of import::load_network().
import::Network load_network(const std::string& name, const NetworkArguments& arguments);

// True where neither the user nor the network names calibration images, and the method wants some.
bool calibrates_otherwise(const import::Network& network, const NetworkArguments& arguments);

// How `network` is compiled, its calibration images included. Errors: those of
// load_core_config() and find_dataset().
CompileOptions compile_options(const import::Network& network, const NetworkArguments& arguments);

// A data set as the command line names it; a relative path is looked for in the working folder,
// then beside the installed networks. Errors: those of parse_dataset_spec() and open_dataset().
Dataset find_dataset(const std::string& text, const TensorType& input,
                     const std::optional<ImageSpec>& image);

}  // namespace vta

#endif  // VTA_COMPILER_TOOL_NETWORK_ARGUMENTS_H_
