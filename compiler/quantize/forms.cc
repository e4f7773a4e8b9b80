// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/forms.h"

#include <algorithm>

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

bool is_constant(const Graph& graph, NodeId id) { return graph.node(id).kind == OpKind::kConstant; }

bool is_single_number(const Graph& graph, NodeId id) {
  return is_constant(graph, id) && graph.node(id).type.num_elems() == 1;
}

bool has_constant_weights(const Graph& graph, const Node& node) {
  return std::all_of(node.inputs.begin() + 1, node.inputs.end(),
                     [&](NodeId id) { return is_constant(graph, id); });
}

// A number beside a tensor that is no constant, whose shape the result has.
bool is_function_of_one(const Graph& graph, const Node& node) {
  for (size_t i = 0; i < 2; ++i) {
    const Node& other = graph.node(node.inputs[1 - i]);
    if (is_single_number(graph, node.inputs[i]) && other.kind != OpKind::kConstant)
      return other.type == node.type;
  }
  return false;
}

Form form_of_binary(const Graph& graph, const Node& node) {
  if (is_function_of_one(graph, node)) return Form::kLookup;
  const TensorType& a = graph.node(node.inputs[0]).type;
  const TensorType& b = graph.node(node.inputs[1]).type;
  if (node.kind == OpKind::kAdd && a == b) return Form::kSum;
  return node.kind == OpKind::kMul ? Form::kProduct : Form::kNone;
}

}  // namespace

Form form_of(const Graph& graph, const Node& node) {
  switch (node.kind) {
    case OpKind::kConv2d:
    case OpKind::kConv2dTranspose:
    case OpKind::kDense:
      return has_constant_weights(graph, node) ? Form::kWeighted : Form::kNone;
    case OpKind::kAdd:
    case OpKind::kSub:
    case OpKind::kMul:
    case OpKind::kDiv:
    case OpKind::kMin:
    case OpKind::kMax:
      return form_of_binary(graph, node);
    case OpKind::kPrelu:
      return is_single_number(graph, node.inputs[1]) ? Form::kLookup : Form::kNone;
    case OpKind::kLeakyRelu:
    case OpKind::kSigmoid:
    case OpKind::kTanh:
    case OpKind::kHardSigmoid:
    case OpKind::kHardSwish:
    case OpKind::kSilu:
    case OpKind::kAbs:
    case OpKind::kExp:
    case OpKind::kLog:
    case OpKind::kSqrt:
    case OpKind::kErf:
    case OpKind::kGelu:
    case OpKind::kSoftplus:
    case OpKind::kMish:
    case OpKind::kElu:
    case OpKind::kPower:
      return Form::kLookup;
    case OpKind::kRelu:
    case OpKind::kClip:
      return Form::kActivation;
    case OpKind::kResize2d:
      return node.attrs.resize_mode == ResizeMode::kNearest ? Form::kMovement : Form::kNone;
    case OpKind::kMaxPool2d:
    case OpKind::kGlobalMaxPool2d:
    case OpKind::kFlatten:
    case OpKind::kReshape:
    case OpKind::kTranspose:
    case OpKind::kStridedSlice:
    case OpKind::kPad:
    case OpKind::kDepthToSpace:
      return Form::kMovement;
    case OpKind::kConcat:
      return Form::kConcat;
    case OpKind::kAvgPool2d:
    case OpKind::kGlobalAvgPool2d:
      return Form::kAverage;
    default:
      return Form::kNone;
  }
}

size_t lookup_operand(const Graph& graph, const Node& node) {
  return is_constant(graph, node.inputs[0]) ? 1 : 0;
}

}  // namespace vta::quantize
