// SPDX-License-Identifier: Apache-2.0
//
// A network from a file: its float graph, preprocessing, outputs and defaults. The JSON format:
// docs/network_files.md; the supported part of ONNX: compiler/onnx/README.md.
#ifndef VTA_COMPILER_IMPORT_NETWORK_H_
#define VTA_COMPILER_IMPORT_NETWORK_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "compiler/graph/graph.h"
#include "compiler/import/preprocessing.h"
#include "runtime/program/program.h"
#include "runtime/tensor/place.h"

namespace vta::import {

struct Network {
  graph::Graph graph;              // float32; int8 if is_quantized
  bool is_quantized = false;       // has its own scales
  bool is_integer = false;         // an integer graph (.vtaq): is_quantized. Not: real operators
                                   // between dequantize and quantize, or float32
  std::optional<ImageSpec> image;  // of the only input
  std::filesystem::path folder;    // the base of relative names below
  OutputSpec output_spec;          // of the graph's outputs
  std::vector<std::string> output_names;  // of an ONNX model; empty: the graph's
  std::vector<std::string> notes;         // of an ONNX model: onnx::Imported::notes
  std::string weights;  // source of the constants: a file name, or "synthetic:SEED"
  bool has_synthetic_weights = false;
  std::string sample;       // default input image; "" if none
  std::string labels;       // file with one class name per line; "" if none
  std::string calibration;  // an .npz with array `images` float32 [count, c, h, w] (preprocessed);
                            // "" if none
  std::string default_quantize;  // "global", "max", "mse" or "kl"
  // Where a first convolution of few channels runs; nullopt: depends on the mode.
  std::optional<Place> first_convolution;
  // The files of weights, sample, labels and calibration images that exist.
  std::vector<std::filesystem::path> files() const;
};

struct NetworkOptions {
  std::string weights;  // overrides the file's; "": the file's; "synthetic": synthetic weights
  std::optional<uint64_t> seed;  // of synthetic weights; none: the file's, or 1
  // Height and width of the input, overriding the file's; for an image input and layers that do not
  // depend on its size. For an ONNX model: only dimensions that the model leaves open.
  std::optional<std::array<int64_t, 2>> input_size = std::nullopt;
  PreprocessOptions preprocess = {};  // of images; changes what the file says
  // For ONNX models (open_sizes.h, input_values.h): "NAME=AXIS" or "AXIS", "NAME=1x3x48x320" or
  // "1x3x48x320", "NAME=16000" or "NAME=1,3,48,320".
  std::vector<std::string> batch_axes = {}, input_shapes = {}, input_values = {};
};

// "224x224" or "224": height and width. Errors: kInvalidArgument.
std::array<int64_t, 2> parse_input_size(const std::string& text);

// Loads an ONNX model, a quantized network (.vtaq, quantized_file.h) or a network file. `name`: a
// path, or a bare name ("resnet18.json", "resnet18") in the working folder or, failing that, among
// the installed networks. A weights file must contain exactly the network's parameters. Synthetic
// weights are He-scaled, with batch-norm statistics measured on the sample (measure_batch_norms.h).
// Errors: kNotFound, kCorrupt, kUnsupported, kInvalidArgument, naming file, layer and field.
Network load_network(const std::string& name, const NetworkOptions& options = {});

// The same of the bytes of an ONNX model without external data. `name`: of the network and in
// messages.
Network parse_onnx_network(const std::string& name, std::span<const uint8_t> model,
                           const NetworkOptions& options = {});

// Whether the name ends as those of the three kinds of network files do.
bool has_network_suffix(const std::string& name);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_NETWORK_H_
