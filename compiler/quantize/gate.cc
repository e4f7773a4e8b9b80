// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/gate.h"

#include <algorithm>
#include <cmath>

#include "runtime/tensor/free_scales.h"

namespace vta::quantize {
namespace {

constexpr int kMaxShift = 31;
constexpr int64_t kMaxFactor = 32767;  // of the ALU's immediate
constexpr int64_t kMaxSum = int64_t{1} << 30;

std::optional<IntegerGate> hard_sigmoid(const Attrs<OpKind::kHardSigmoid>& real, const Levels& x,
                                        const Levels& result) {
  if (real.alpha <= 0) return std::nullopt;
  const auto sum = scaled_sum(real.alpha * x.unit / result.unit, x.zero, 0, 0, result.zero);
  if (!sum) return std::nullopt;
  const double beta = std::ldexp(real.beta / result.unit, static_cast<int>(sum->shift));
  if (!(std::abs(beta) < kMaxSum)) return std::nullopt;
  Attrs<OpKind::kQAdd> attrs(attr::scaled{true}, attr::factor_a{sum->factor_a},
                             attr::addend{sum->addend + std::llround(beta)},
                             attr::shift{sum->shift});
  clip_to({.lo = result.of(0), .hi = result.of(1)}, attrs);
  return IntegerGate{OpKind::kQAdd, attrs};
}

std::optional<IntegerGate> hard_swish(const Levels& x, const Levels& result) {
  constexpr double kExact = 1e-6;  // relative: units are float32
  const double full = std::round(kFullSwish / x.unit);
  const bool is_exact = std::abs(full * x.unit - kFullSwish) < kExact * kFullSwish;
  if (x.zero != 0 || result.zero != 0 || !is_exact || 2 * full > kMaxFactor) return std::nullopt;
  Attrs<OpKind::kQMul> attrs(attr::gate{2 * static_cast<int64_t>(full)},
                             attr::addend{static_cast<int64_t>(full)});
  const int64_t most = std::min(kMaxFactor, (kMaxSum - 1) / (128 * attrs.gate));
  const double ratio = x.unit * x.unit / result.unit / (2 * kFullSwish);
  const auto factor = [&](int64_t shift) {
    return std::round(std::ldexp(ratio, static_cast<int>(shift)));
  };
  attrs.shift = kMaxShift;
  while (attrs.shift >= 0 && factor(attrs.shift) > static_cast<double>(most)) --attrs.shift;
  constexpr int64_t kMinFactor = 128;  // of a smaller one, rounding changes results
  if (attrs.shift < 0 || factor(attrs.shift) < kMinFactor) return std::nullopt;
  attrs.factor_a = static_cast<int64_t>(factor(attrs.shift));
  clip_to(result, attrs);
  return IntegerGate{OpKind::kQMul, attrs};
}

}  // namespace

std::optional<IntegerGate> integer_gate(const graph::Node& node, const Levels& x,
                                        const Levels& result) {
  if (node.kind == OpKind::kHardSigmoid) return hard_sigmoid(node.attrs, x, result);
  if (node.kind == OpKind::kHardSwish) return hard_swish(x, result);
  return std::nullopt;
}

}  // namespace vta::quantize
