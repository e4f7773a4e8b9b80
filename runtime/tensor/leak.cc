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

}  // namespace vta
