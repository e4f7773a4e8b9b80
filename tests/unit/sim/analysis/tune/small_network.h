// SPDX-License-Identifier: Apache-2.0
//
// A network to tune in tests.
#ifndef VTA_TESTS_UNIT_SIM_ANALYSIS_TUNE_SMALL_NETWORK_H_
#define VTA_TESTS_UNIT_SIM_ANALYSIS_TUNE_SMALL_NETWORK_H_

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "compiler/graph/graph.h"
#include "runtime/tensor/tensor.h"

namespace vta::test {

inline Tensor random_bytes(Random& random, std::vector<int64_t> shape) {
  Tensor tensor(TensorType{DType::kInt8, std::move(shape)});
  for (int8_t& value : tensor.mutable_data<int8_t>())
    value = static_cast<int8_t>(random.between(-20, 20));
  return tensor;
}

// Four convolutions, of which the second and third differ by their neighbours only.
inline graph::Graph small_network(Random& random) {
  graph::Graph graph;
  graph::NodeId value = graph.add_input("x", {DType::kInt8, {1, 32, 14, 14}});
  const int64_t channels[] = {32, 64, 64, 64, 32};
  for (size_t i = 0; i + 1 < std::size(channels); ++i) {
    OpAttrs attrs;
    attrs.kernel = {3, 3};
    attrs.pad = {1, 1, 1, 1};
    attrs.stride = {1, 1};
    attrs.shift = 9;
    attrs.lo = 0;
    attrs.hi = 127;
    const std::string name = fmt::format("conv{}", i);
    const graph::NodeId w =
        graph.add_constant(name + ".w", random_bytes(random, {channels[i + 1], channels[i], 3, 3}));
    const graph::NodeId b =
        graph.add_constant(name + ".b", Tensor(TensorType{DType::kInt32, {channels[i + 1]}}));
    value = graph.add(OpKind::kQConv2d, name, {value, w, b}, attrs);
    graph.node(value).on_core = true;
  }
  graph.set_outputs({value});
  return graph;
}

}  // namespace vta::test

#endif  // VTA_TESTS_UNIT_SIM_ANALYSIS_TUNE_SMALL_NETWORK_H_
