// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/leak.h"

#include <cmath>

namespace vta {

LeakFactor leak_factor(double slope) {
  LeakFactor factor;
  while (factor.shift < kMaxLeakShift &&
         std::llround(std::ldexp(slope, factor.shift + 1)) <= max_leak(factor.shift + 1)) {
    ++factor.shift;
  }
  factor.multiplier = static_cast<int32_t>(std::llround(std::ldexp(slope, factor.shift)));
  // Factors of 2 in both change nothing but the size of the product.
  while (factor.shift > 0 && factor.multiplier % 2 == 0) {
    factor.multiplier /= 2;
    --factor.shift;
  }
  return factor;
}

LeakFactor leak_factor_of(const OpAttrs& attrs) {
  if (attrs.leak == 0) return {};
  const double multiplier = static_cast<double>(attrs.leak);
  const double per_zero = std::ldexp(1.0, static_cast<int>(attrs.leak_shift)) / multiplier - 1;
  return {static_cast<int32_t>(attrs.leak), static_cast<int32_t>(attrs.leak_shift),
          static_cast<int32_t>(std::lround(static_cast<double>(attrs.result_zero) * per_zero))};
}

}  // namespace vta
