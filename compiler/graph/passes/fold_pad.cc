// SPDX-License-Identifier: Apache-2.0
#include "compiler/graph/passes/fold_pad.h"

#include <algorithm>
#include <limits>

namespace vta::graph {
namespace {

// Only of h and w, by at least 0.
bool pads_image(const Node& pad) {
  const OpAttrs& attrs = pad.attrs;
  if (pad.type.shape.size() != 4 || attrs.pad_mode != PadMode::kConstant) return false;
  for (size_t axis = 0; axis < 4; ++axis) {
    const bool is_padded = attrs.before[axis] != 0 || attrs.after[axis] != 0;
    if (axis < 2 ? is_padded : attrs.before[axis] < 0 || attrs.after[axis] < 0) return false;
  }
  return true;
}

bool is_never_negative(const Node& node) {
  return node.kind == OpKind::kRelu || node.kind == OpKind::kSigmoid ||
         (node.kind == OpKind::kClip && node.attrs.lo >= 0);
}

bool has_pad(const OpAttrs& attrs) {
  return std::any_of(attrs.pad.begin(), attrs.pad.end(), [](int64_t p) { return p != 0; });
}

bool takes(const Graph& graph, const Node& user, const Node& pad) {
  const double value = pad.attrs.pad_value;
  switch (user.kind) {
    case OpKind::kConv2d:
      return value == 0;
    case OpKind::kAvgPool2d:  // else a partial window would count the padding
      return value == 0 && !user.attrs.ceil_mode &&
             (user.attrs.count_include_pad || !has_pad(user.attrs));
    case OpKind::kMaxPool2d:
      return value <= std::numeric_limits<float>::lowest() ||
             (value == 0 && is_never_negative(graph.node(pad.inputs[0])));
    default:
      return false;
  }
}

bool fold(Graph& graph, NodeId id) {
  const Node& user = graph.node(id);
  const Node& pad = graph.node(user.inputs[0]);
  if (pad.kind != OpKind::kPad || !pads_image(pad) || !takes(graph, user, pad)) return false;
  OpAttrs attrs = user.attrs;
  attrs.pad[0] += pad.attrs.before[2];
  attrs.pad[1] += pad.attrs.before[3];
  attrs.pad[2] += pad.attrs.after[2];
  attrs.pad[3] += pad.attrs.after[3];
  if (user.kind == OpKind::kAvgPool2d) attrs.count_include_pad = true;
  std::vector<TensorType> types = {graph.node(pad.inputs[0]).type};
  for (size_t i = 1; i < user.inputs.size(); ++i) types.push_back(graph.node(user.inputs[i]).type);
  try {  // infer_type() refuses a window that covers only padding
    if (infer_type(user.kind, attrs, types) != user.type) return false;
  } catch (const Error&) {
    return false;
  }
  graph.set_input(id, 0, pad.inputs[0]);
  graph.node(id).attrs = attrs;
  return true;
}

}  // namespace

bool fold_pad(Graph& graph) {
  bool changed = false;
  for (NodeId id : graph.order()) {
    const OpKind kind = graph.node(id).kind;
    if (kind == OpKind::kConv2d || kind == OpKind::kAvgPool2d || kind == OpKind::kMaxPool2d)
      changed |= fold(graph, id);
  }
  if (changed) graph.erase_dead();
  return changed;
}

}  // namespace vta::graph
