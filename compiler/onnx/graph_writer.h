// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_GRAPH_WRITER_H_
#define VTA_COMPILER_ONNX_GRAPH_WRITER_H_

#include <string>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::onnx {

// Adds operators to a graph: names them, folds constants, and enforces graph_limits.h.
class GraphWriter {
 public:
  // A unique name like `wanted`: illegal characters are replaced, and a number is appended if the
  // name is taken.
  graph::NodeId add_input(const std::string& wanted, TensorType type);
  // NaN is an error, infinity also unless allowed (masks of attention).
  graph::NodeId add_constant(const std::string& wanted, Tensor value, bool allows_infinity = false);
  // An operator on constants only is computed now and becomes a constant, unless that takes long.
  graph::NodeId add(OpKind kind, const std::string& wanted, std::vector<graph::NodeId> inputs,
                    OpAttrs attrs = {});

  // Counts the elements of a computed constant that is not (yet) part of the graph.
  void charge_folded(int64_t num_elems);

  const graph::Node& node(graph::NodeId id) const { return graph_.node(id); }
  // False for -1 (no node).
  bool is_constant(graph::NodeId id) const { return id >= 0 && graph_.is_constant(id); }
  graph::Graph& graph() { return graph_; }
  const graph::Graph& graph() const { return graph_; }

 private:
  std::string free_name(const std::string& wanted) const;

  graph::Graph graph_;
  int64_t num_constant_elems_ = 0;
  int64_t num_operations_ = 0;
  int64_t num_folded_operations_ = 0;
  int64_t num_folded_elems_ = 0;
};

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_GRAPH_WRITER_H_
