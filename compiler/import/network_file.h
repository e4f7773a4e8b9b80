// SPDX-License-Identifier: Apache-2.0
//
// The JSON network file as a structure, with every field checked separately; shapes are checked
// later (build_graph.h).
#ifndef VTA_COMPILER_IMPORT_NETWORK_FILE_H_
#define VTA_COMPILER_IMPORT_NETWORK_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/tensor/image_spec.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/output_spec.h"
#include "runtime/tensor/place.h"

namespace vta::import {

struct LayerDescription {
  std::string name;
  OpKind kind = OpKind::kRelu;
  std::vector<std::string> inputs;  // names of previous layers or of the input
  OpAttrs attrs;
  int64_t channels = 0;  // output channels of conv2d, conv2d_transpose and dense
  bool bias = false;     // of the same operators
  std::string params;    // prefix of the layer's parameters
};

struct NetworkDescription {
  std::string name;
  std::string input_name;
  std::vector<int64_t> input_shape;  // [1, c, h, w] or [1, c]
  std::optional<ImageSpec> image;
  std::string sample, labels, calibration;  // files; "" if none
  std::string quantize;
  OutputSpec output_spec;
  std::optional<Place> first_convolution;
  std::string weights_file;  // "" if they are synthetic
  uint64_t seed = 1;
  std::string onnx_file;  // an ONNX model instead of weights and layers; "" if none
  std::vector<LayerDescription> layers;
  std::vector<std::string> outputs;  // names of layers
};

// 1 to 128 letters, digits and "_./:-".
bool is_name(const std::string& text);

// Errors: kCorrupt for malformed JSON; kUnsupported for an unknown operator; kInvalidArgument for a
// field, naming layer, field, expectation and value.
NetworkDescription parse_network(const std::string& json_text);

// Only the object of field `input.image`, for an input of that shape.
ImageSpec parse_image_spec(const std::string& json_text, const std::vector<int64_t>& shape);

// Only the object of field `postprocess`.
OutputSpec parse_output_spec(const std::string& json_text);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_NETWORK_FILE_H_
