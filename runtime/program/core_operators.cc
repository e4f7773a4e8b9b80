// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/core_operators.h"

#include <algorithm>

#include "base/errors/error.h"

namespace vta {
namespace {

TensorType inferred_type(OpKind op, const OpAttrs& attrs, const std::vector<TensorType>& operands) {
  try {
    return infer_type(op, attrs, operands);
  } catch (const Error& error) {
    fail(ErrorCode::kCorrupt, "{}", error.what());
  }
}

// Shape of the weights that the convolution has in a graph.
std::vector<int64_t> weights_shape(const TypedStep& step) {
  const OpAttrs& attrs = step.attrs;
  const int64_t ic = step.operands[0].shape[1], oc = step.result.shape[1];
  if (step.op == OpKind::kQDense) return {oc, ic};
  if (attrs.groups < 1 || ic % attrs.groups != 0 || oc % attrs.groups != 0) {
    fail(ErrorCode::kCorrupt, "{} and {} channels are not divisible by {} groups", ic, oc,
         attrs.groups);
  }
  const bool transposed = step.op == OpKind::kQConv2dTranspose;
  return {transposed ? ic : oc, (transposed ? oc : ic) / attrs.groups, attrs.kernel[0],
          attrs.kernel[1]};
}

// The operands of the convolution in a graph.
std::vector<TensorType> graph_operands(const TypedStep& step) {
  return {step.operands[0],
          {DType::kInt8, weights_shape(step)},
          {DType::kInt32, {step.result.shape[1]}}};
}

void check_pool(const TypedStep& step) {
  if (step.operands.size() > 1) {
    fail(ErrorCode::kCorrupt, "a convolution with a max pool has 1 operand, got {}",
         step.operands.size());
  }
  const TensorType type = inferred_type(OpKind::kMaxPool2d, *step.pool, {operator_result(step)});
  if (type == step.result) return;
  fail(ErrorCode::kCorrupt, "the max pool of {} makes {}, not {}", to_string(step.op),
       to_string(type), to_string(step.result));
}

// A second operand is the residual operand of a fused add.
void check_convolution(const TypedStep& step) {
  if (step.pool != nullptr) return check_pool(step);
  if (step.operands.size() == 2 && step.operands[1] != step.result) {
    fail(ErrorCode::kCorrupt, "{} is added to {}", to_string(step.operands[1]),
         to_string(step.result));
  }
  TypedStep in_graph = step;
  in_graph.operands = graph_operands(step);
  check_operands(in_graph);
}

// A flatten or reshape may also copy: images to the rows of a matrix (moves_rows()), or back. Only
// its types are checked here.
void check_copy(const TypedStep& step) {
  const bool reshapes = step.op == OpKind::kFlatten || step.op == OpKind::kReshape;
  if (step.operands.size() == 1 && step.operands[0] != step.result && reshapes)
    return check_operands(step);
  if (step.operands.size() != 1 || step.operands[0] != step.result) {
    fail(ErrorCode::kCorrupt, "a copy needs 1 operand of the result's type, got {} operands",
         step.operands.size());
  }
}

constexpr CoreOperator kCoreOperators[] = {
#define VTA_CORE_OP(kind, family, check, products) {OpKind::kind, check, products},
#include "runtime/program/core_operators.def"
};

}  // namespace

void check_operands(const TypedStep& step) {
  if (step.op == OpKind::kInput || step.op == OpKind::kConstant)
    fail(ErrorCode::kCorrupt, "{} is not an operator", to_string(step.op));
  const TensorType type = inferred_type(step.op, step.attrs, step.operands);
  if (type != step.result) {
    fail(ErrorCode::kCorrupt, "{} makes {}, not {}", to_string(step.op), to_string(type),
         to_string(step.result));
  }
}

TensorType operator_result(const TypedStep& step) {
  if (step.pool == nullptr) return step.result;
  return inferred_type(step.op, step.attrs, graph_operands(step));
}

const CoreOperator* find_core_operator(OpKind kind) {
  const auto found = std::ranges::find(kCoreOperators, kind, &CoreOperator::kind);
  return found == std::end(kCoreOperators) ? nullptr : found;
}

}  // namespace vta
