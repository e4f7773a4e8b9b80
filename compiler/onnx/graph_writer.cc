// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/graph_writer.h"

#include <algorithm>
#include <cmath>

#include "compiler/graph/names.h"
#include "compiler/onnx/graph_limits.h"
#include "compiler/onnx/model.h"
#include "runtime/host/host_operators.h"

namespace vta::onnx {
namespace {

using graph::NodeId;

constexpr int64_t kMaxFoldedOperations = int64_t{1} << 28;
constexpr int64_t kMaxFoldedElems = int64_t{1} << 26;

void check_finite(const std::string& name, std::span<const float> values, bool allows_infinity) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) || (allows_infinity && !std::isnan(values[i]))) continue;
    fail(ErrorCode::kUnsupported, "constant '{}': element {} is {}, expected a finite number",
         printable(name), i, values[i]);
  }
}

// Sums and selections: an infinite element of a mask stays infinite.
bool is_masking(OpKind kind) {
  return kind == OpKind::kAdd || kind == OpKind::kSub || kind == OpKind::kWhere ||
         kind == OpKind::kTile || kind == OpKind::kBroadcastTo || kind == OpKind::kReshape ||
         kind == OpKind::kStridedSlice;
}

}  // namespace

std::string GraphWriter::free_name(const std::string& wanted) const {
  return graph_.free_name(graph::legal_name(wanted, "unnamed"));
}

NodeId GraphWriter::add_input(const std::string& wanted, TensorType type) {
  if (type.num_elems() > kMaxResultElems) {
    fail(ErrorCode::kUnsupported, "input '{}' is {}, at most {} elements are supported",
         wanted.substr(0, 80), to_string(type), kMaxResultElems);
  }
  return graph_.add_input(free_name(wanted), std::move(type));
}

NodeId GraphWriter::add_constant(const std::string& wanted, Tensor value, bool allows_infinity) {
  if (value.dtype() == DType::kFloat32) check_finite(wanted, value.data<float>(), allows_infinity);
  num_constant_elems_ += value.num_elems();
  if (num_constant_elems_ > kMaxConstantElems) {
    fail(ErrorCode::kUnsupported,
         "{} elements of constants up to this node, at most {} are supported", num_constant_elems_,
         kMaxConstantElems);
  }
  return graph_.add_constant(free_name(wanted), std::move(value));
}

void GraphWriter::charge_folded(int64_t num_elems) {
  num_folded_elems_ += num_elems;
  if (num_folded_elems_ > kMaxFoldedElems) {
    fail(ErrorCode::kUnsupported,
         "{} elements of computed constants up to this node, at most {} are supported",
         num_folded_elems_, kMaxFoldedElems);
  }
}

NodeId GraphWriter::add(OpKind kind, const std::string& wanted, std::vector<NodeId> inputs,
                        OpAttrs attrs) {
  std::vector<TensorType> types;
  bool is_foldable = true;
  for (NodeId input : inputs) {
    types.push_back(graph_.node(input).type);
    is_foldable = is_foldable && graph_.is_constant(input);
  }
  const TensorType result = graph_.result_type(kind, attrs, inputs);
  if (result.num_elems() > kMaxResultElems) {
    fail(ErrorCode::kUnsupported, "the result is {}, at most {} elements are supported",
         to_string(result), kMaxResultElems);
  }
  const int64_t cost = operations(kind, attrs, types, result);
  num_operations_ += cost;
  if (num_operations_ > kMaxOperations) {
    fail(ErrorCode::kUnsupported, "more than {} operations up to this node", kMaxOperations);
  }
  if (!is_foldable || cost > kMaxFoldedOperations - num_folded_operations_) {
    return graph_.add(kind, free_name(wanted), std::move(inputs), std::move(attrs));
  }
  num_folded_operations_ += cost;
  std::vector<Tensor> operands;
  for (NodeId input : inputs) operands.push_back(graph_.node(input).value);
  const Tensor value = host::execute(kind, attrs, operands);
  if (value.num_elems() == 0) {
    fail(ErrorCode::kUnsupported, "the result is {}; empty constants are not supported",
         to_string(value.type()));
  }
  return add_constant(wanted, value, is_masking(kind));
}

}  // namespace vta::onnx
