// SPDX-License-Identifier: Apache-2.0
//
// The JSON network file as it stands, each field checked by itself; shapes come later
// (build_graph.h).
#ifndef VTA_COMPILER_IMPORT_NETWORK_FILE_H_
#define VTA_COMPILER_IMPORT_NETWORK_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/program/program.h"
#include "runtime/tensor/op.h"

namespace vta::import {

struct LayerDescription {
  std::string name;
  OpKind kind = OpKind::kRelu;
  std::vector<std::string> inputs;  // names of layers above, or of the input
  OpAttrs attrs;
  int64_t channels = 0;  // that come out, of conv2d and dense
  bool bias = false;     // of conv2d and dense
  std::string params;    // prefix of the layer's parameters
};

struct NetworkDescription {
  std::string name;
  std::string input_name;
  std::vector<int64_t> input_shape;  // [1, c, h, w] or [1, c]
  std::optional<ImageSpec> image;
  std::string sample, labels, calibration;  // files; "" if none
  std::string quantize;
  std::string weights_file;  // "" if they are synthetic
  uint64_t seed = 1;
  std::vector<LayerDescription> layers;  // the last one is the output
};

// Letters, digits and "_./:-", 1 to 128 of them.
bool is_name(const std::string& text);

// Errors: kCorrupt for what is no JSON; kUnsupported for an unknown operator; kInvalidArgument for
// a field, naming layer, field, value and expectation.
NetworkDescription parse_network(const std::string& json_text);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_NETWORK_FILE_H_
