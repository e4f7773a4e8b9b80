// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on sizes and positions that a run computes, int32 [1], as operators of the graph.
// Operators that the bounds of their operands make superfluous are left out.
#ifndef VTA_COMPILER_ONNX_RUN_NUMBERS_H_
#define VTA_COMPILER_ONNX_RUN_NUMBERS_H_

#include <cstdint>
#include <vector>

#include "compiler/onnx/node_context.h"
#include "compiler/onnx/size_bounds.h"

namespace vta::onnx {

graph::NodeId number(NodeContext& node, int64_t value);
graph::NodeId sum(NodeContext& node, graph::NodeId a, graph::NodeId b);
graph::NodeId difference(NodeContext& node, graph::NodeId a, graph::NodeId b);
graph::NodeId product(NodeContext& node, graph::NodeId a, graph::NodeId b);
graph::NodeId at_least(NodeContext& node, graph::NodeId a, int64_t limit);
graph::NodeId at_most(NodeContext& node, graph::NodeId a, graph::NodeId limit);
graph::NodeId size_of_axis(NodeContext& node, graph::NodeId x, size_t axis);

Bounds bounds_of(NodeContext& node, graph::NodeId size);
bool is_exactly(const Bounds& bounds, double value);
// The largest size, at most `limit`.
int64_t most_of(NodeContext& node, graph::NodeId size, int64_t limit);

// 0, 1, ... below `size`, int32 [<=most]. A larger size is an error of the run.
graph::NodeId first_numbers(NodeContext& node, graph::NodeId size, int64_t most);

// The elements of a list of integers of input `index`, which a run computes.
std::vector<graph::NodeId> elements_of(NodeContext& node, size_t index, const char* what);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_RUN_NUMBERS_H_
