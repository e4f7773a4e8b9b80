// SPDX-License-Identifier: Apache-2.0
//
// Random float networks with random weights.
#ifndef VTA_TESTS_SUPPORT_RANDOM_NETWORK_H_
#define VTA_TESTS_SUPPORT_RANDOM_NETWORK_H_

#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "compiler/graph/graph.h"

namespace vta::test {

class RandomNetwork {
 public:
  enum class Layers {
    kThin,  // few channels, windows that keep the size
    kOdd,   // up to 40 channels; kernels to 7, strides to 3, pads of four sizes, dilation, slices,
            // dense layers in a row
  };
  RandomNetwork(uint64_t seed, Layers layers) : odd_(layers == Layers::kOdd), random_(seed) {}

  // Builds the network: one input of [1, c, h, w], one result. Call it once.
  graph::Graph build();

  // Normal values with this deviation.
  Tensor tensor(std::vector<int64_t> shape, double deviation);

 private:
  std::string name(const std::string& what) { return fmt::format("{}{}", what, counter_++); }
  const std::vector<int64_t>& shape(graph::NodeId id) { return graph_.node(id).type.shape; }

  graph::NodeId layer();
  OpAttrs window();
  OpAttrs odd_window(graph::NodeId x);
  graph::NodeId conv(graph::NodeId x);
  graph::NodeId dense(graph::NodeId x);
  graph::NodeId clip(graph::NodeId x);
  graph::NodeId add(graph::NodeId x);
  graph::NodeId pool(graph::NodeId x);
  graph::NodeId pad(graph::NodeId x);
  graph::NodeId slice(graph::NodeId x);
  graph::NodeId leaky(graph::NodeId x);
  graph::NodeId upsampling(graph::NodeId x);

  const bool odd_;
  Random random_;
  graph::Graph graph_;
  std::vector<graph::NodeId> values_;  // images
  int counter_ = 0;
};

}  // namespace vta::test

#endif  // VTA_TESTS_SUPPORT_RANDOM_NETWORK_H_
