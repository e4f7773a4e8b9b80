// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/gate.h"

#include <algorithm>
#include <cmath>

#include "compiler/quantize/power_of_two.h"
#include "runtime/tensor/free_scales.h"

namespace vta::quantize {
namespace {

constexpr int kMaxShift = 31;
constexpr int64_t kMaxFactor = 32767;  // of the ALU's immediate
constexpr int64_t kMaxSum = int64_t{1} << 30;
constexpr int kMaxSwishFracBits = 12;  // 6 * 2^12 is an immediate

std::optional<IntegerGate> hard_sigmoid(const Attrs<OpKind::kHardSigmoid>& real, int frac_in,
                                        int frac_out) {
  if (real.alpha <= 0) return std::nullopt;
  const auto sum = scaled_sum(std::ldexp(real.alpha, frac_out - frac_in), 0, 0, 0, 0);
  if (!sum) return std::nullopt;
  const double beta = std::ldexp(real.beta, frac_out + static_cast<int>(sum->shift));
  if (!(std::abs(beta) < kMaxSum)) return std::nullopt;
  const Attrs<OpKind::kQAdd> attrs(attr::scaled{true}, attr::factor_a{sum->factor_a},
                                   attr::addend{sum->addend + std::llround(beta)},
                                   attr::shift{sum->shift}, attr::lo{0},
                                   attr::hi(std::min(kMaxInt8, quantized(1.0f, frac_out))));
  return IntegerGate{OpKind::kQAdd, attrs};
}

std::optional<IntegerGate> hard_swish(int frac_in, int frac_out) {
  if (frac_in < 0 || frac_in > kMaxSwishFracBits) return std::nullopt;
  Attrs<OpKind::kQMul> attrs(attr::gate{int64_t{6} << frac_in},
                             attr::addend{int64_t{3} << frac_in});
  const int64_t most = std::min(kMaxFactor, (kMaxSum - 1) / (128 * attrs.gate));
  const auto factor = [&](int64_t shift) {
    const auto exponent = static_cast<int>(shift) + frac_out - 2 * frac_in;
    return std::round(std::ldexp(1.0 / 6, exponent));
  };
  attrs.shift = kMaxShift;
  while (attrs.shift >= 0 && factor(attrs.shift) > static_cast<double>(most)) --attrs.shift;
  constexpr int64_t kMinFactor = 128;  // of a smaller one, rounding changes results
  if (attrs.shift < 0 || factor(attrs.shift) < kMinFactor) return std::nullopt;
  attrs.factor_a = static_cast<int64_t>(factor(attrs.shift));
  attrs.lo = -kMaxInt8;
  attrs.hi = kMaxInt8;
  return IntegerGate{OpKind::kQMul, attrs};
}

}  // namespace

std::optional<IntegerGate> integer_gate(const graph::Node& node, int frac_in, int frac_out) {
  if (node.kind == OpKind::kHardSigmoid) return hard_sigmoid(node.attrs, frac_in, frac_out);
  if (node.kind == OpKind::kHardSwish) return hard_swish(frac_in, frac_out);
  return std::nullopt;
}

}  // namespace vta::quantize
