// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/host_operators.h"

#include <optional>

#include "runtime/host/operators.h"

namespace vta::host {
namespace {

using Operator = void (*)(const OpAttrs&, const Operands&, Tensor&);

// By OpKind. An operator of ops.def without a function does not link.
constexpr Operator kOperators[] = {
#define VTA_OP(kind, name, min_inputs, max_inputs, infer, ...) \
  [](const OpAttrs& attrs, const Operands& inputs, Tensor& output) { name(attrs, inputs, output); },
#include "runtime/tensor/ops.def"
};

// `dtype`: of the result, in place of the operator's own.
Tensor run(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs,
           std::optional<DType> dtype) {
  std::vector<TensorType> types;
  types.reserve(inputs.size());
  for (const Tensor& operand : inputs) types.push_back(operand.type());
  TensorType type = infer_run_type(kind, attrs, types);
  type.open_axes = 0;
  type.dtype = dtype.value_or(type.dtype);
  Tensor output(type);
  if (output.num_elems() > 0) kOperators[static_cast<size_t>(kind)](attrs, inputs, output);
  return output;
}

}  // namespace

// Sources: infer_type() has already refused them.
using Source = Attrs<OpKind::kInput>;
void input(const Source&, const Operands&, Tensor&) { VTA_ASSERT(false, "an operator"); }
void constant(const Source&, const Operands&, Tensor&) { VTA_ASSERT(false, "an operator"); }

Tensor execute(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs) {
  return run(kind, attrs, inputs, std::nullopt);
}

Tensor sums_of_layer(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs) {
  VTA_ASSERT(
      kind == OpKind::kQConv2d || kind == OpKind::kQConv2dTranspose || kind == OpKind::kQDense,
      "an integer layer");
  return run(kind, attrs, inputs, DType::kInt32);
}

}  // namespace vta::host
