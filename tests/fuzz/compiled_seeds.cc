// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/compiled_seeds.h"

#include "base/errors/error.h"
#include "base/files/file.h"
#include "compiler/compile.h"
#include "compiler/import/quantized_file.h"

namespace vta::fuzz {
namespace {

graph::NodeId add_conv(graph::Graph& graph, const std::string& name, graph::NodeId data,
                       int64_t channels, int64_t kernel) {
  constexpr int64_t kResults = 8;
  const graph::NodeId weights = graph.add_constant(
      name + "_w", Tensor({kResults, channels, kernel, kernel},
                          std::vector<float>(kResults * channels * kernel * kernel, 0.25f)));
  const graph::NodeId bias =
      graph.add_constant(name + "_b", Tensor({kResults}, std::vector<float>(kResults, -0.5f)));
  OpAttrs window;
  window.kernel = {kernel, kernel};
  return graph.add(OpKind::kConv2d, name, {data, weights, bias}, window);
}

// Two convolutions and a pool, of images, and a softmax on the host.
import::Network small_network() {
  import::Network network;
  graph::Graph& graph = network.graph;
  graph.name = "small";
  const graph::NodeId data = graph.add_input("data", {DType::kFloat32, {1, 3, 6, 6}});
  const graph::NodeId first = add_conv(graph, "first", data, 3, 3);
  const graph::NodeId relu = graph.add(OpKind::kRelu, "relu", {first});
  const graph::NodeId second = add_conv(graph, "second", relu, 8, 1);
  OpAttrs window;
  window.kernel = window.stride = {2, 2};
  const graph::NodeId pool = graph.add(OpKind::kMaxPool2d, "pool", {second}, window);
  const graph::NodeId rows = graph.add(OpKind::kFlatten, "flatten", {pool});
  graph.set_outputs({graph.add(OpKind::kSoftmax, "softmax", {rows})});
  network.image = ImageSpec();
  network.image->mean = {0, 1, 2};
  network.image->stddev = {1, 1, 2};
  network.weights = "synthetic:1";
  network.sample = "sample.png";
  network.labels = "labels.txt";
  network.default_quantize = "global";
  return network;
}

}  // namespace

void write_compiled_seeds(const std::filesystem::path& folder) {
  const import::Network network = small_network();
  CompileOptions options;
  options.core = load_core_config("tiny_1x8");
  import::Network quantized = network;
  options.on_pass = [&](const PassResult& pass) {
    if (pass.name == "quantize") quantized.graph = pass.graph;  // else it is refused below: float32
  };
  write_file(folder / "program" / "small", serialize(compile(network, options).program));
  quantized.is_quantized = quantized.is_integer = true;
  const std::vector<uint8_t> file = import::to_quantized_file(quantized);
  VTA_ASSERT(import::parse_quantized_file(file).graph.outputs().size() == 1, "it is read again");
  write_file(folder / "quantized" / "small", file);
}

}  // namespace vta::fuzz
