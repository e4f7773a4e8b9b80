// SPDX-License-Identifier: Apache-2.0
//
// KeptSums: the sums of an integer layer for all inputs. Results for another bias follow from them
// without the products.
#ifndef VTA_COMPILER_QUANTIZE_KEPT_SUMS_H_
#define VTA_COMPILER_QUANTIZE_KEPT_SUMS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::quantize {

// A sum is kept with 2 bytes, in parts of a level of the result: 64 parts a level, or fewer, so
// that a part is a whole number of units of the sum. Biases may move by whole parts.
class KeptSums {
 public:
  // Place for the sums of a layer with its present bias. nullopt for layers with free scales,
  // shifts to the left or a leak, and where the sums would take most of the memory.
  static std::optional<KeptSums> of(const graph::Graph& graph, const graph::Node& layer,
                                    size_t num_inputs);

  // Computes and keeps the sums for an input. Thread-safe for different inputs.
  void keep(const graph::Graph& graph, const graph::Node& layer, const Tensor& x, size_t input);

  // Whether results for the layer's present bias follow from the kept sums.
  bool follow(const graph::Graph& graph, const graph::Node& layer) const;
  // The result for the present bias, if it follows. Thread-safe.
  Tensor result(const graph::Graph& graph, const graph::Node& layer, size_t input) const;

 private:
  // How the sums of one channel are kept.
  struct Channel {
    int parts_bits = 0;  // a level is 2^parts_bits parts,
    int unit_bits = 0;   // a part 2^unit_bits units of the sum
    int32_t bias = 0;    // with which the sums are kept
  };

  std::vector<Channel> channels_;
  std::vector<std::vector<int16_t>> sums_;  // by input
};

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_KEPT_SUMS_H_
