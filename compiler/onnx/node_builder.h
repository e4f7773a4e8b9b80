// SPDX-License-Identifier: Apache-2.0
//
// NodeBuilder: adds operators to the graph that are named after a node of the model.
#ifndef VTA_COMPILER_ONNX_NODE_BUILDER_H_
#define VTA_COMPILER_ONNX_NODE_BUILDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/onnx/graph_writer.h"
#include "compiler/onnx/model.h"

namespace vta::onnx {

class NodeBuilder {
 public:
  NodeBuilder(const NodeDef& node, GraphWriter& writer);

  graph::NodeId add(OpKind kind, std::vector<graph::NodeId> inputs, OpAttrs attrs = {});
  // The same, named after the operator of ONNX, too: errors of a run name it then.
  graph::NodeId add_named(OpKind kind, std::vector<graph::NodeId> inputs, OpAttrs attrs = {});
  graph::NodeId add_constant(Tensor value);
  graph::NodeId add_scalar(double value, DType type = DType::kFloat32);  // [1]
  graph::NodeId add_unbounded(float value);                              // [1], may be infinite
  graph::NodeId add_indices(const Dims& dims, const std::vector<int64_t>& values);  // int32
  // 0 to count - 1 along `axis` of `rank` axes, int32; the other axes have one element.
  graph::NodeId add_positions(size_t rank, int64_t axis, int64_t count);
  graph::NodeId unary(UnaryFunction function, graph::NodeId x);
  graph::NodeId binary(BinaryFunction function, graph::NodeId a, graph::NodeId b);
  graph::NodeId cast(graph::NodeId x, Format format);
  graph::NodeId reduce(Reduction reduction, graph::NodeId x, const Dims& axes);  // keeps axes
  // `node` if it has that shape. If it has open axes, `open_axis` of the result is open: by default
  // the one that holds the elements of the node's open axis.
  graph::NodeId reshaped(graph::NodeId node, const Dims& dims,
                         std::optional<int64_t> open_axis = std::nullopt);
  graph::NodeId transposed(graph::NodeId node, const Dims& perm);
  // Elements begin, begin + step, ... before end of an axis; `node` if these are all.
  graph::NodeId sliced(graph::NodeId node, size_t axis, int64_t begin, int64_t end,
                       int64_t step = 1);
  const Dims& shape_of(graph::NodeId node) const { return writer_.node(node).type.shape; }
  DType dtype_of(graph::NodeId node) const { return writer_.node(node).type.dtype; }
  bool is_constant(graph::NodeId node) const;
  const graph::Node& graph_node(graph::NodeId node) const { return writer_.node(node); }
  const graph::Graph& graph() const { return writer_.graph(); }

 protected:
  graph::NodeId add_masking_constant(const Tensor& value);  // may have infinite elements

  GraphWriter& writer_;

 private:
  const std::string layer_, op_;  // base name of the graph's nodes; the operator of ONNX
};

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_NODE_BUILDER_H_
