// SPDX-License-Identifier: Apache-2.0
//
// Losses of classifiers, in models that were exported with them.
#include "compiler/onnx/shapes.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

// -scores[n, targets[n, ...], ...], each times the weight of its class and 0 where the target is
// ignored; `weights`: what they were multiplied by, -1 if all are 1.
struct Losses {
  NodeId losses = -1, weights = -1;
};

// `scores`: [n, c, ...]; inputs 1 and 2 of the node: targets and the weights of classes.
Losses weighted_losses(NodeContext& node, NodeId scores) {
  const Dims targets_dims = node.input(1).dims, scores_dims = node.shape_of(scores);
  Dims expected = scores_dims;
  if (expected.size() < 2) fail(ErrorCode::kCorrupt, "input 0 has no axis of classes");
  expected.erase(expected.begin() + 1);
  if (targets_dims != expected) {
    fail(ErrorCode::kCorrupt, "input 1 is [{}], expected [{}]", fmt::join(targets_dims, ", "),
         fmt::join(expected, ", "));
  }
  NodeId targets = node.index_operand(1);
  Losses result;
  if (node.has_attr("ignore_index")) {
    const NodeId ignored =
        node.add_scalar(static_cast<double>(node.integer("ignore_index", 0)), DType::kInt32);
    const NodeId is_ignored = node.binary(BinaryFunction::kEqual, targets, ignored);
    result.weights = node.add(OpKind::kSub, {node.add_scalar(1), is_ignored});
    const NodeId first = node.add_scalar(0, DType::kInt32);
    targets = node.add(OpKind::kWhere, {is_ignored, first, targets});
  }
  Dims of_class = scores_dims;
  of_class[1] = 1;
  Attrs<OpKind::kGather> along(attr::axis{1});
  const NodeId chosen =
      node.add(OpKind::kGatherElements, {scores, node.reshaped(targets, of_class)}, along);
  result.losses = node.add(OpKind::kMul, {node.reshaped(chosen, expected), node.add_scalar(-1)});
  if (node.has_input(2)) {
    along.axis = 0;
    const NodeId weights =
        node.reshaped(node.add(OpKind::kGather, {node.float_operand(2), targets}, along), expected);
    result.weights =
        result.weights < 0 ? weights : node.add(OpKind::kMul, {result.weights, weights});
  }
  if (result.weights >= 0) result.losses = node.add(OpKind::kMul, {result.losses, result.weights});
  return result;
}

// The attribute `reduction`: none, sum, or mean, which is weighted.
void set_reduced(NodeContext& node, const Losses& losses) {
  const std::string reduction = node.text("reduction", "mean");
  const ElementType type = node.input(0).type;
  if (reduction == "none") return node.set_result(losses.losses, type);
  if (reduction != "sum" && reduction != "mean")
    fail(ErrorCode::kCorrupt, "attribute 'reduction' is '{}'", printable(reduction));
  Dims axes;
  for (size_t i = 0; i < node.shape_of(losses.losses).size(); ++i)
    axes.push_back(static_cast<int64_t>(i));
  const auto total = [&](NodeId x) {
    return node.reshaped(node.reduce(Reduction::kSum, x, axes), {1});
  };
  NodeId result = total(losses.losses);
  if (reduction == "mean") {
    const auto count = static_cast<double>(num_elems(node.shape_of(losses.losses)));
    const NodeId divisor = losses.weights < 0 ? node.add_scalar(count) : total(losses.weights);
    result = node.add(OpKind::kDiv, {result, divisor});
  }
  node.set_result(result, type, Dims{});
}

}  // namespace

void negative_log_likelihood_loss(NodeContext& node) {
  set_reduced(node, weighted_losses(node, node.float_operand(0)));
}

void softmax_cross_entropy_loss(NodeContext& node) {
  const NodeId scores = node.float_operand(0);
  const NodeId moved = node.add(OpKind::kSub, {scores, node.reduce(Reduction::kMax, scores, {1})});
  const NodeId logarithms =
      node.add(OpKind::kSub, {moved, node.reduce(Reduction::kLogSumExp, moved, {1})});
  set_reduced(node, weighted_losses(node, logarithms));
  node.set_result(logarithms, node.input(0).type, 1);
}

}  // namespace vta::onnx
