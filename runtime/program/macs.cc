// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/macs.h"

namespace vta {
namespace {

// Quantized layers are clipped to +-127; a copy keeps all of int8.
bool only_copies(const OpAttrs& attrs) {
  return attrs.lo == -128 && attrs.hi == 127 && attrs.shift == 0 && !attrs.relu;
}

}  // namespace

uint64_t macs_of(const Program& program, const ProgramStep& step) {
  using Kind = ProgramStep::Kind;
  if (step.kind != Kind::kHost && step.kind != Kind::kCore) return 0;
  const TensorType& src = program.values.at(static_cast<size_t>(step.inputs.at(0))).type;
  const TensorType& dst = program.values.at(static_cast<size_t>(step.outputs.at(0))).type;
  const OpAttrs& attrs = step.attrs;
  const int64_t taps = attrs.kernel[0] * attrs.kernel[1];
  int64_t products = 0;
  switch (step.op) {
    case OpKind::kConv2d:
    case OpKind::kQConv2d:
      if (only_copies(attrs)) return 0;
      products = dst.num_elems() * (src.shape[1] / attrs.groups) * taps;
      break;
    case OpKind::kConv2dTranspose:
    case OpKind::kQConv2dTranspose:
      products = src.num_elems() * (dst.shape[1] / attrs.groups) * taps;
      break;
    case OpKind::kDense:
    case OpKind::kQDense:
      products = dst.num_elems() * src.shape[1];
      break;
    case OpKind::kMatmul:
      products = dst.num_elems() * src.shape.back();
      break;
    default:
      return 0;
  }
  return static_cast<uint64_t>(products / dst.shape[0]);
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

}  // namespace vta
