// SPDX-License-Identifier: Apache-2.0
//
// A network as it comes from a file: its float graph and what belongs to it. The JSON format is
// described in configs/networks/README.md, what is taken of ONNX in compiler/onnx/README.md.
#ifndef VTA_COMPILER_IMPORT_NETWORK_H_
#define VTA_COMPILER_IMPORT_NETWORK_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "compiler/graph/graph.h"
#include "runtime/program/program.h"

namespace vta::import {

struct Network {
  graph::Graph graph;         // float32, batch 1
  bool is_quantized = false;  // or integers already, of a model that has its own scales (.vtaq)
  std::optional<ImageSpec> image;  // of the (only) input
  std::filesystem::path folder;    // that relative names below start from
  OutputSpec output_spec;          // of the graph's outputs
  std::string weights;      // what the graph's constants hold: a file's name, or "synthetic:SEED"
  std::string sample;       // picture used when the user names no input; "" if none
  std::string labels;       // one class name a line; "" if none
  std::string calibration;  // an .npz with array `images` float32 [count, c, h, w] (preprocessed);
                            // "" if none
  std::string default_quantize;            // "global", "max" or "mse"
  std::string first_convolution = "host";  // or "core": where a thin first convolution runs
};

struct NetworkOptions {
  std::string weights;  // overrides the file's own; "" keeps it; "synthetic" forces synthetic ones
  std::optional<uint64_t> seed;  // of synthetic weights only; none: the file's own, or 1
  // Height and width of the input, instead of the file's; for an input of pictures and layers that
  // do not depend on its size. Of an ONNX model: what the model itself leaves open.
  std::optional<std::array<int64_t, 2>> input_size = std::nullopt;
};

// "224x224" or "224": height and width. Errors: kInvalidArgument.
std::array<int64_t, 2> parse_input_size(const std::string& text);

// `name`: an ONNX model, a quantized network (.vtaq, quantized_file.h) or a network file; a path,
// or a bare name ("resnet18.json", "resnet18") looked for in the working folder, then in the
// installed networks. Weights from a file must be exactly the network's parameters. Synthetic
// weights are He-scaled, with batch-norm statistics measured on the sample (measure_batch_norms.h).
// Errors: kNotFound, kCorrupt, kUnsupported, kInvalidArgument, naming file, layer and field.
Network load_network(const std::string& name, const NetworkOptions& options = {});

// Standard normals from a seed, the same everywhere: for inputs that are no pictures.
Tensor noise_input(const TensorType& type, uint64_t seed);

// A file that a network or program names: relative to `folder`, else among the installed networks.
// Errors: kNotFound, listing the places.
std::filesystem::path find_beside(const std::string& name, const std::filesystem::path& folder);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_NETWORK_H_
