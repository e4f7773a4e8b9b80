// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/forms.h"

#include <algorithm>

#include "runtime/tensor/average.h"
#include "runtime/tensor/leak.h"
#include "runtime/tensor/op_kinds.h"

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

// Whether leaky_relu has an integer form (runtime/tensor/leak.h).
bool has_slope_below_one(const Graph&, const Node& node) {
  return node.attrs.alpha >= kMinLeakSlope && node.attrs.alpha <= 1;
}

bool has_slope_of_one_number(const Graph& graph, const Node& node) {
  return is_single_number(graph, node.inputs[1]);
}

bool takes_nearest(const Graph&, const Node& node) {
  return node.attrs.resize_mode == ResizeMode::kNearest;
}

// One operand is a single number, the other a tensor of the result's type that is not a constant.
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

// Whether qavg_pool2d takes the window.
bool has_window_of_limited_size(const Graph& graph, const Node& node) {
  const std::vector<int64_t>& image = graph.node(node.inputs[0]).type.shape;
  const int64_t elems = node.kind == OpKind::kGlobalAvgPool2d
                            ? image[2] * image[3]
                            : node.attrs.kernel[0] * node.attrs.kernel[1];
  return elems <= kMaxAverageElems;
}

bool is_of_real_numbers(const Graph& graph, const Node& node) {
  return graph.node(node.inputs[0]).type.dtype == DType::kFloat32;
}

// Multiply-accumulates per element of the operands and the result. On one thread of a server,
// packing an element takes 0.5 ns, and small fp32 products have 5 to 9 multiply-accumulates per ns.
constexpr int64_t kMinProductsPerElement = 4;

// Whether the product is worth the way to the core.
bool is_large_product_of_matrices(const Graph& graph, const Node& node) {
  return !is_small_product(graph, node);
}

bool always(const Graph&, const Node&) { return true; }

// A form and the condition under which a node has it.
struct Choice {
  Form form;
  bool (*condition)(const Graph& graph, const Node& node) = always;
};

// The first choice whose condition holds; kNone if neither does.
struct Rule {
  OpKind kind;
  Choice first, second = {Form::kNone};
};

// In the order of ops.def.
constexpr Rule kRules[] = {
    {OpKind::kInput, {Form::kNone}},
    {OpKind::kConstant, {Form::kNone}},
    {OpKind::kConv2d, {Form::kWeighted, has_constant_weights}},
    {OpKind::kConv2dTranspose, {Form::kWeighted, has_constant_weights}},
    {OpKind::kDense, {Form::kWeighted, has_constant_weights}},
    {OpKind::kMatmul, {Form::kMatrices, is_large_product_of_matrices}},
    {OpKind::kBatchNorm, {Form::kNone}},
    {OpKind::kRelu, {Form::kActivation}},
    {OpKind::kClip, {Form::kActivation}},
    {OpKind::kLeakyRelu, {Form::kActivation, has_slope_below_one}, {Form::kLookup}},
    {OpKind::kPrelu, {Form::kLookup, has_slope_of_one_number}},
    {OpKind::kSigmoid, {Form::kLookup}},
    {OpKind::kTanh, {Form::kLookup}},
    {OpKind::kHardSigmoid, {Form::kLookup}},
    {OpKind::kHardSwish, {Form::kLookup}},
    {OpKind::kSilu, {Form::kLookup}},
    {OpKind::kAbs, {Form::kLookup}},
    {OpKind::kExp, {Form::kLookup}},
    {OpKind::kLog, {Form::kLookup}},
    {OpKind::kSqrt, {Form::kLookup}},
    {OpKind::kErf, {Form::kLookup}},
    {OpKind::kGelu, {Form::kLookup}},
    {OpKind::kSoftplus, {Form::kLookup}},
    {OpKind::kMish, {Form::kLookup}},
    {OpKind::kElu, {Form::kLookup}},
    {OpKind::kPower, {Form::kLookup}},
    {OpKind::kAdd, {Form::kLookup, is_function_of_one}, {Form::kSum, has_operands_of_one_shape}},
    {OpKind::kSub, {Form::kLookup, is_function_of_one}},
    {OpKind::kMul, {Form::kLookup, is_function_of_one}, {Form::kProduct}},
    {OpKind::kDiv, {Form::kLookup, is_function_of_one}},
    {OpKind::kMin, {Form::kLookup, is_function_of_one}},
    {OpKind::kMax, {Form::kLookup, is_function_of_one}},
    {OpKind::kAvgPool2d, {Form::kAverage, has_window_of_limited_size}},
    {OpKind::kSoftmax, {Form::kNone}},
    {OpKind::kLrn, {Form::kNone}},
    {OpKind::kReduceMean, {Form::kNone}},
    {OpKind::kArgMax, {Form::kNone}},
    {OpKind::kUnary, {Form::kLookup, is_of_real_numbers}},
    {OpKind::kBinary, {Form::kNone}},
    {OpKind::kCast, {Form::kNone}},
    {OpKind::kReduce, {Form::kNone}},
    {OpKind::kCumulative, {Form::kNone}},
    {OpKind::kTopK, {Form::kNone}},
    {OpKind::kIota, {Form::kNone}},
    {OpKind::kNonZero, {Form::kNone}},
    {OpKind::kUnique, {Form::kNone}},
    {OpKind::kNonMaxSuppression, {Form::kNone}},
    {OpKind::kFlatten, {Form::kMovement}},
    {OpKind::kReshape, {Form::kMovement}},
    {OpKind::kTranspose, {Form::kMovement}},
    {OpKind::kConcat, {Form::kConcat}},
    {OpKind::kStridedSlice, {Form::kMovement}},
    {OpKind::kPad, {Form::kMovement}},
    {OpKind::kWhere, {Form::kNone}},
    {OpKind::kTile, {Form::kMovement, is_of_real_numbers}},
    {OpKind::kBroadcastTo, {Form::kNone}},
    {OpKind::kCompress, {Form::kNone}},
    {OpKind::kShapeOf, {Form::kNone}},
    {OpKind::kGather, {Form::kNone}},
    {OpKind::kGatherElements, {Form::kNone}},
    {OpKind::kGatherNd, {Form::kNone}},
    {OpKind::kScatterElements, {Form::kNone}},
    {OpKind::kScatterNd, {Form::kNone}},
    {OpKind::kDepthToSpace, {Form::kMovement}},
    {OpKind::kMaxPool2d, {Form::kMovement}},
    {OpKind::kGlobalMaxPool2d, {Form::kMovement}},
    {OpKind::kGlobalAvgPool2d, {Form::kAverage, has_window_of_limited_size}},
    {OpKind::kResize2d, {Form::kMovement, takes_nearest}},
    {OpKind::kGlobalSumPool2d, {Form::kNone}},
    {OpKind::kQuantize, {Form::kNone}},
    {OpKind::kDequantize, {Form::kNone}},
    {OpKind::kLookup, {Form::kNone}},
    {OpKind::kQAvgPool2d, {Form::kNone}},
    {OpKind::kUnfold2d, {Form::kNone}},
    {OpKind::kQConv2d, {Form::kNone}},
    {OpKind::kQConv2dTranspose, {Form::kNone}},
    {OpKind::kQDense, {Form::kNone}},
    {OpKind::kQAdd, {Form::kNone}},
    {OpKind::kQMul, {Form::kNone}},
    {OpKind::kQMatmul, {Form::kNone}},
};
static_assert(std::ranges::equal(kRules, kOpKinds, {}, &Rule::kind),
              "every operator has a rule, in the order of ops.def");

struct FormProperties {
  IntegerRule becomes_integer;
  bool takes_activation;
};
constexpr FormProperties kProperties[] = {
#define VTA_FORM(form, becomes_integer, takes_activation) \
  {IntegerRule::becomes_integer, takes_activation},
#include "compiler/quantize/forms.def"
};

}  // namespace

namespace {

// Integer layers have sizes that are known before a run.
bool has_open_axes(const Graph& graph, const Node& node) {
  return node.type.is_open() || std::ranges::any_of(node.inputs, [&](graph::NodeId input) {
           return graph.node(input).type.is_open();
         });
}

}  // namespace

Form form_of(const Graph& graph, const Node& node) {
  if (has_open_axes(graph, node)) return Form::kNone;
  const Rule& rule = kRules[static_cast<size_t>(node.kind)];
  for (const Choice& choice : {rule.first, rule.second}) {
    if (choice.condition(graph, node)) return choice.form;
  }
  return Form::kNone;
}

IntegerRule integer_rule(Form form) {
  return kProperties[static_cast<size_t>(form)].becomes_integer;
}

bool takes_activation(Form form) { return kProperties[static_cast<size_t>(form)].takes_activation; }

bool is_small_product(const Graph& graph, const Node& matmul) {
  const TensorType &a = graph.node(matmul.inputs[0]).type, &b = graph.node(matmul.inputs[1]).type;
  const int64_t num_elems = a.num_elems() + b.num_elems() + matmul.type.num_elems();
  return matmul.type.num_elems() * a.shape.back() < kMinProductsPerElement * num_elems;
}

size_t lookup_operand(const Graph& graph, const Node& node) {
  return graph.is_constant(node.inputs[0]) ? 1 : 0;
}

}  // namespace vta::quantize
