// SPDX-License-Identifier: Apache-2.0
//
// A network as it comes from a file: its float graph and what belongs to it. The JSON format is
// described in configs/networks/README.md.
#ifndef VTA_COMPILER_IMPORT_NETWORK_H_
#define VTA_COMPILER_IMPORT_NETWORK_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "compiler/graph/graph.h"
#include "runtime/program/program.h"

namespace vta::import {

struct Network {
  graph::Graph graph;              // float32, batch 1
  std::optional<ImageSpec> image;  // of the (only) input
  std::filesystem::path folder;    // that relative names below start from
  std::string weights;      // what the graph's constants hold: a file's name, or "synthetic:SEED"
  std::string sample;       // picture used when the user names no input; "" if none
  std::string labels;       // one class name a line; "" if none
  std::string calibration;  // an .npz with array `images` float32 [count, c, h, w] (preprocessed);
                            // "" if none
  std::string default_quantize;  // "global", "max" or "mse"
};

struct NetworkOptions {
  std::string weights;  // overrides the file's own; "" keeps it; "synthetic" forces synthetic ones
  std::optional<uint64_t> seed;  // of synthetic weights; none: the file's own, or 1
};

// `name`: a path, or a bare name ("resnet18.json", "resnet18") looked for in the working folder,
// then in the installed networks. Weights from a file must be exactly the network's parameters.
// Synthetic weights are He-scaled, with batch-norm statistics measured on the sample
// (measure_batch_norms.h).
// Errors: kNotFound, kCorrupt, kUnsupported, kInvalidArgument, naming file, layer and field.
Network load_network(const std::string& name, const NetworkOptions& options = {});

// A file that a network or program names: relative to `folder`, else among the installed networks.
// Errors: kNotFound, listing the places.
std::filesystem::path find_beside(const std::string& name, const std::filesystem::path& folder);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_NETWORK_H_
