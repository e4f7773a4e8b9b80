// SPDX-License-Identifier: Apache-2.0
//
// How a network is read, quantized and scheduled, as the options that every tool that compiles has.
#ifndef VTA_COMPILER_TOOL_NETWORK_OPTIONS_H_
#define VTA_COMPILER_TOOL_NETWORK_OPTIONS_H_

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
struct NetworkOptions {
  std::optional<std::string> core, weights, quantize, calibrate, mode, first_convolution,
      input_size;
  QuantizeOptions quantize_options;
  std::optional<uint64_t> seed;

  bool any() const;
};

// --core, --weights, --quantize, --per-channel, --equalize, --rounding, --keep-float, --calibrate,
// --mode, --first-convolution, --input-size, --seed.
void add_network_options(Command& command, NetworkOptions& options);

// The network file `name` with the weights, input size and seed that `options` say.
import::Network load_network(const std::string& name, const NetworkOptions& options);

// How `network` is compiled, its calibration images included. Errors: those of
// load_core_config() and find_dataset().
CompileOptions compile_options(const import::Network& network, const NetworkOptions& options);

// A data set as the command line names it; a relative path is looked for in the working folder,
// then beside the installed networks. Errors: those of parse_dataset_spec() and open_dataset().
Dataset find_dataset(const std::string& text, const TensorType& input,
                     const std::optional<ImageSpec>& image);

}  // namespace vta

#endif  // VTA_COMPILER_TOOL_NETWORK_OPTIONS_H_
