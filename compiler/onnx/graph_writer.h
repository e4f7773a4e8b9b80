// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_GRAPH_WRITER_H_
#define VTA_COMPILER_ONNX_GRAPH_WRITER_H_

#include <map>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::onnx {

// Adds operators to a graph: names them, folds those on constants, and keeps the sum of what they
// ask for within limits.
class GraphWriter {
 public:
  // Names like `wanted` with what a graph does not take replaced, and a number behind where one is
  // taken.
  graph::NodeId add_input(const std::string& wanted, TensorType type);
  graph::NodeId add_constant(const std::string& wanted, Tensor value);
  // Operators on constants alone are computed now and become one, unless that takes long.
  graph::NodeId add(OpKind kind, const std::string& wanted, std::vector<graph::NodeId> inputs,
                    OpAttrs attrs = {});

  // Counts the elements of a constant that is computed and no part of the graph (yet).
  void charge_folded(int64_t num_elems);

  const graph::Node& node(graph::NodeId id) const { return graph_.node(id); }
  // False for -1, no node.
  bool is_constant(graph::NodeId id) const { return id >= 0 && graph_.is_constant(id); }
  graph::Graph& graph() { return graph_; }

 private:
  std::string unique_name(const std::string& wanted);

  graph::Graph graph_;
  std::map<std::string, int64_t> names_;  // taken -> the number that a second one of it gets
  int64_t num_constant_elems_ = 0;
  int64_t num_operations_ = 0;
  int64_t num_folded_operations_ = 0;
  int64_t num_folded_elems_ = 0;
};

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_GRAPH_WRITER_H_
