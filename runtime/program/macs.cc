// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/macs.h"

#include <algorithm>

#include "runtime/program/core_operators.h"
#include "runtime/program/products.h"

namespace vta {
namespace {

// Operators with products that only the host computes.
struct HostOperator {
  OpKind kind;
  ProductCount& products;
};
constexpr HostOperator kHostOperators[] = {
    {OpKind::kConv2d, convolution_products},
    {OpKind::kConv2dTranspose, transposed_convolution_products},
    {OpKind::kDense, dense_products},
    {OpKind::kMatmul, matmul_products},
};

ProductCount& products_of(OpKind kind) {
  if (const CoreOperator* found = find_core_operator(kind)) return found->products;
  const auto found = std::ranges::find(kHostOperators, kind, &HostOperator::kind);
  return found == std::end(kHostOperators) ? no_products : found->products;
}

}  // namespace

uint64_t macs_of(const Program& program, const ProgramStep& step) {
  using Kind = ProgramStep::Kind;
  if (step.kind != Kind::kHost && step.kind != Kind::kCore) return 0;
  const TensorType& src = program.value(step.inputs.at(0)).type;
  const TensorType& result = program.value(step.outputs.at(0)).type;
  const TensorType dst =
      operator_result({step.op, step.attrs, {src}, result, step.pool ? &*step.pool : nullptr});
  // Not the result's first axis: the rows of a matrix product belong to one image.
  return static_cast<uint64_t>(products_of(step.op)(step.attrs, src, dst) / program.batch);
}

uint64_t macs_of(OpKind kind, const OpAttrs& attrs, const TensorType& src, const TensorType& dst) {
  return static_cast<uint64_t>(products_of(kind)(attrs, src, dst));
}

MacSums macs_of(const Program& program) {
  MacSums sums;
  for (const ProgramStep& step : program.steps) {
    const uint64_t macs = macs_of(program, step);
    sums.all += macs;
    if (step.kind == ProgramStep::Kind::kCore) sums.on_core += macs;
  }
  return sums;
}

double percent_on_core(const MacSums& macs) {
  return macs.all == 0 ? 100
                       : 100 * static_cast<double>(macs.on_core) / static_cast<double>(macs.all);
}

}  // namespace vta
