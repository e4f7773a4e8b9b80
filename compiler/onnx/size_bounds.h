// SPDX-License-Identifier: Apache-2.0
//
// Bounds of numbers that only a run gives, from the operators that compute them: mostly sizes,
// which models compute from the sizes of open axes.
#ifndef VTA_COMPILER_ONNX_SIZE_BOUNDS_H_
#define VTA_COMPILER_ONNX_SIZE_BOUNDS_H_

#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::onnx {

struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool is_exact() const { return low == high; }
};

// Bounds of each element of a list of at most 64 without open axes; for any other tensor, one for
// all elements. An operator that is not analyzed gives unlimited bounds.
std::vector<Bounds> bounds_of(const graph::Graph& graph, graph::NodeId node);

// Bounds of the only element of a tensor.
Bounds bounds_of_scalar(const graph::Graph& graph, graph::NodeId node);

// An open axis, and the axis whose size it repeats in every run: two open axes with the same source
// have the same size.
using OpenAxis = std::pair<graph::NodeId, size_t>;
OpenAxis source_of(const graph::Graph& graph, OpenAxis axis);

// The source of the open axis whose size is the only element of `node`, if it is one.
std::optional<OpenAxis> source_of_size(const graph::Graph& graph, graph::NodeId node);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_SIZE_BOUNDS_H_
