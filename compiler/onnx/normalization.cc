// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/onnx/fold.h"

namespace vta::onnx {

using graph::NodeId;

namespace {

bool is_dense(const NodeContext& node, NodeId x) {
  const graph::Node& layer = node.graph_node(x);
  if (layer.kind != OpKind::kAdd) return layer.kind == OpKind::kDense;
  // Its bias is merged into it at the end of the import.
  return std::any_of(layer.inputs.begin(), layer.inputs.end(),
                     [&](NodeId input) { return node.graph_node(input).kind == OpKind::kDense; });
}

// As an image: a batch norm then folds into the convolution before it, or becomes one. Behind a
// dense layer, into which it folds too, rows stay rows.
Dims normalized_dims(const NodeContext& node, NodeId x, const Dims& dims) {
  if (dims.size() == 3) return {dims[0], dims[1], 1, dims[2]};
  if (dims.size() == 2 && !is_dense(node, x)) return {dims[0], dims[1], 1, 1};
  return dims;
}

}  // namespace

void batch_normalization(NodeContext& node) {
  OpAttrs attrs;
  attrs.epsilon = node.number("epsilon", 1e-5);
  node.number("momentum", 0.9);  // of training
  if (node.version() < 9 && !node.flag("spatial", true)) {
    node.refuse("attribute 'spatial' is 0, supported is one mean a channel");
  }
  if (node.version() >= 14 && node.flag("training_mode", false)) {
    node.refuse("attribute 'training_mode' is 1, supported is inference");
  }
  std::vector<NodeId> operands;
  for (size_t i = 0; i < 5; ++i) operands.push_back(node.float_operand(i));
  const Dims& dims = node.input(0).dims;
  operands[0] = node.reshaped(operands[0], normalized_dims(node, operands[0], dims));
  const NodeId result = node.add(OpKind::kBatchNorm, operands, attrs);
  node.set_result(node.reshaped(result, dims), node.input(0).type, dims);
}

void lrn(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const Dims& dims = node.input(0).dims;
  if (dims.size() < 2) fail(ErrorCode::kCorrupt, "input 0 has no channels");
  OpAttrs attrs;
  attrs.size = node.integer("size", 0);
  attrs.alpha = node.number("alpha", 1e-4);
  attrs.beta = node.number("beta", 0.75);
  attrs.bias = node.number("bias", 1);
  const Dims image =
      dims.size() == 4 ? dims : Dims{dims[0], dims[1], 1, num_elems(dims) / (dims[0] * dims[1])};
  const NodeId result = node.add(OpKind::kLrn, {node.reshaped(x, image)}, attrs);
  node.set_result(node.reshaped(result, dims), node.input(0).type);
}

void softmax(NodeContext& node) {
  const NodeId x = node.float_operand(0);
  const Dims& dims = node.input(0).dims;
  const bool is_old = node.version() < 13;
  OpAttrs attrs;
  attrs.axis = node.axis(node.integer("axis", is_old ? 1 : -1), node.rank(0), is_old);
  if (!is_old || attrs.axis + 1 == node.rank(0)) {
    return node.set_result(node.add(OpKind::kSoftmax, {x}, attrs), node.input(0).type, dims);
  }
  Dims rows = {1, 1};
  for (size_t i = 0; i < dims.size(); ++i)
    rows[static_cast<int64_t>(i) < attrs.axis ? 0 : 1] *= dims[i];
  attrs.axis = 1;
  const NodeId result = node.add(OpKind::kSoftmax, {node.reshaped(x, rows)}, attrs);
  node.set_result(node.reshaped(result, dims), node.input(0).type, dims);
}

void dropout(NodeContext& node) {
  if (node.lists_as_inputs()) {
    node.has_attr("seed");
    if (node.has_input(2)) {
      const Array& training = node.constant(2, "training_mode");
      if (training.size() != 1 || training.at(0) != 0) {
        node.refuse("training_mode is set, supported is inference");
      }
    }
  } else {
    node.number("ratio", 0.5);
  }
  node.set_same(node.shared_input(0));
  const bool has_mask = node.def().outputs.size() > 1 && !node.def().outputs[1].empty();
  constexpr int64_t kMaxMaskElems = 1 << 22;
  if (has_mask && node.version() >= 10 && num_elems(node.input(0).dims) <= kMaxMaskElems) {
    Array mask = make_array(ElementType::kBool, node.input(0).dims, true);
    std::fill(mask.ints.begin(), mask.ints.end(), 1);
    node.set_constant(std::move(mask), 1);
  }
}

}  // namespace vta::onnx
