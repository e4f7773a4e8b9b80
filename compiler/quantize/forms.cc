// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/forms.h"

#include <algorithm>

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;
using graph::NodeId;

bool is_single_number(const Graph& graph, NodeId id) {
  return graph.is_constant(id) && graph.node(id).type.num_elems() == 1;
}

bool has_constant_weights(const Graph& graph, const Node& node) {
  return std::all_of(node.inputs.begin() + 1, node.inputs.end(),
                     [&](NodeId id) { return graph.is_constant(id); });
}

bool has_slope_of_one_number(const Graph& graph, const Node& node) {
  return is_single_number(graph, node.inputs[1]);
}

bool takes_nearest(const Graph&, const Node& node) {
  return node.attrs.resize_mode == ResizeMode::kNearest;
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

bool has_operands_of_one_shape(const Graph& graph, const Node& node) {
  return graph.node(node.inputs[0]).type == graph.node(node.inputs[1]).type;
}

bool always(const Graph&, const Node&) { return true; }

// The first rule of an operator whose condition holds says its form.
struct Rule {
  OpKind kind;
  Form form;
  bool (*condition)(const Graph& graph, const Node& node) = always;
};

constexpr Rule kRules[] = {
    {OpKind::kConv2d, Form::kWeighted, has_constant_weights},
    {OpKind::kConv2dTranspose, Form::kWeighted, has_constant_weights},
    {OpKind::kDense, Form::kWeighted, has_constant_weights},
    {OpKind::kAdd, Form::kLookup, is_function_of_one},
    {OpKind::kAdd, Form::kSum, has_operands_of_one_shape},
    {OpKind::kSub, Form::kLookup, is_function_of_one},
    {OpKind::kMul, Form::kLookup, is_function_of_one},
    {OpKind::kMul, Form::kProduct},
    {OpKind::kDiv, Form::kLookup, is_function_of_one},
    {OpKind::kMin, Form::kLookup, is_function_of_one},
    {OpKind::kMax, Form::kLookup, is_function_of_one},
    {OpKind::kPrelu, Form::kLookup, has_slope_of_one_number},
    {OpKind::kLeakyRelu, Form::kLookup},
    {OpKind::kSigmoid, Form::kLookup},
    {OpKind::kTanh, Form::kLookup},
    {OpKind::kHardSigmoid, Form::kLookup},
    {OpKind::kHardSwish, Form::kLookup},
    {OpKind::kSilu, Form::kLookup},
    {OpKind::kAbs, Form::kLookup},
    {OpKind::kExp, Form::kLookup},
    {OpKind::kLog, Form::kLookup},
    {OpKind::kSqrt, Form::kLookup},
    {OpKind::kErf, Form::kLookup},
    {OpKind::kGelu, Form::kLookup},
    {OpKind::kSoftplus, Form::kLookup},
    {OpKind::kMish, Form::kLookup},
    {OpKind::kElu, Form::kLookup},
    {OpKind::kPower, Form::kLookup},
    {OpKind::kRelu, Form::kActivation},
    {OpKind::kClip, Form::kActivation},
    {OpKind::kResize2d, Form::kMovement, takes_nearest},
    {OpKind::kMaxPool2d, Form::kMovement},
    {OpKind::kGlobalMaxPool2d, Form::kMovement},
    {OpKind::kFlatten, Form::kMovement},
    {OpKind::kReshape, Form::kMovement},
    {OpKind::kTranspose, Form::kMovement},
    {OpKind::kStridedSlice, Form::kMovement},
    {OpKind::kPad, Form::kMovement},
    {OpKind::kDepthToSpace, Form::kMovement},
    {OpKind::kConcat, Form::kConcat},
    {OpKind::kAvgPool2d, Form::kAverage},
    {OpKind::kGlobalAvgPool2d, Form::kAverage},
};

}  // namespace

Form form_of(const Graph& graph, const Node& node) {
  for (const Rule& rule : kRules) {
    if (rule.kind == node.kind && rule.condition(graph, node)) return rule.form;
  }
  return Form::kNone;
}

size_t lookup_operand(const Graph& graph, const Node& node) {
  return graph.is_constant(node.inputs[0]) ? 1 : 0;
}

}  // namespace vta::quantize
