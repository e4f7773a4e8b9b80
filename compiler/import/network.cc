// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/network.h"

#include "compiler/import/build_graph.h"
#include "compiler/import/measure_batch_norms.h"
#include "compiler/import/network_file.h"
#include "compiler/import/parameters.h"
#include "configs/core_config.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/host/image.h"

namespace vta::import {
namespace fs = std::filesystem;
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{4} << 20;
constexpr const char* kSynthetic = "synthetic";

std::vector<fs::path> network_folders() {
  std::vector<fs::path> folders;
  for (const fs::path& configs : config_folders()) folders.push_back(configs / "networks");
  return folders;
}

fs::path find_network(const std::string& name) {
  std::error_code error;
  const bool needs_suffix = !name.ends_with(".json") && !fs::exists(name, error);
  return find_file(needs_suffix ? name + ".json" : name, network_folders());
}

// What batch-norm statistics are measured on: the sample, or standard normals from the seed.
Tensor sample_input(const NetworkDescription& network, const fs::path& folder, uint64_t seed) {
  const std::vector<int64_t>& shape = network.input_shape;
  if (network.sample.empty()) {
    Tensor input({DType::kFloat32, shape});
    Random random(seed);
    for (float& value : input.mutable_data<float>()) value = static_cast<float>(random.normal());
    return input;
  }
  const ImageSpec& spec = *network.image;
  const host::Image image = host::read_image(find_beside(network.sample, folder));
  return with_context("sample " + network.sample, [&] {
    return host::preprocess(
        image, {spec.resize_short_side, spec.channels, spec.scale, spec.mean, spec.stddev},
        shape[1], shape[2], shape[3]);
  });
}

graph::Graph synthetic_graph(const NetworkDescription& description, const fs::path& folder,
                             uint64_t seed) {
  graph::Graph graph = build_graph(description, [seed](const Parameter& parameter) {
    return synthetic_parameter(parameter, seed);
  });
  measure_batch_norms(graph, sample_input(description, folder, seed));
  return graph;
}

graph::Graph graph_from_file(const NetworkDescription& description, const fs::path& weights) {
  ParameterFile file(weights);
  graph::Graph graph = build_graph(
      description, [&file](const Parameter& parameter) { return file.read(parameter); });
  file.refuse_unused();
  return graph;
}

Network load(const fs::path& path, const NetworkOptions& options) {
  const NetworkDescription description = parse_network(read_text_file(path, kMaxFileBytes));
  Network network;
  network.image = description.image;
  network.folder = path.parent_path();
  network.sample = description.sample;
  network.labels = description.labels;
  network.calibration = description.calibration;
  network.default_quantize = description.quantize;
  const bool own = options.weights.empty();
  const std::string weights = own ? description.weights_file : options.weights;
  if (weights.empty() || weights == kSynthetic) {
    const uint64_t seed = options.seed.value_or(description.seed);
    network.weights = fmt::format("{}:{}", kSynthetic, seed);
    network.graph = synthetic_graph(description, network.folder, seed);
  } else {
    network.weights = weights;
    network.graph = graph_from_file(description, own ? find_beside(weights, network.folder)
                                                     : find_file(weights, network_folders()));
  }
  return network;
}

}  // namespace

fs::path find_beside(const std::string& name, const fs::path& folder) {
  // Not find_file(name) at once: that would prefer a file of this name in the working folder.
  const fs::path beside = folder / name;
  std::error_code error;
  if (fs::exists(beside, error)) return beside.lexically_normal();
  return find_file(name, network_folders());
}

Network load_network(const std::string& name, const NetworkOptions& options) {
  const fs::path path = find_network(name);
  return with_context(path.string(), [&] { return load(path, options); });
}

}  // namespace vta::import
