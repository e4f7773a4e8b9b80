// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/average.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vta {
namespace {

constexpr int64_t kMaxMultiplier = 32767;  // of the ALU's immediate
constexpr int32_t kMaxShift = 30;          // its rounding constant fits an int32
constexpr int64_t kMaxMagnitude = 128;     // of an int8
constexpr int64_t kMaxDistance = 255;      // of an int8 from a zero point

// round(2^shift / (count * 2^scale_shift)).
int64_t multiplier_of(int64_t count, int64_t scale_shift, int32_t shift) {
  const int64_t numerator = int64_t{1} << (shift + std::max<int64_t>(-scale_shift, 0));
  const int64_t divisor = count << std::max<int64_t>(scale_shift, 0);
  return (numerator + divisor / 2) / divisor;
}

bool fits(int64_t largest_sum, int64_t multiplier, int32_t shift) {
  const int64_t product = largest_sum * multiplier;
  return multiplier <= kMaxMultiplier &&
         product + (int64_t{1} << shift) / 2 <= std::numeric_limits<int32_t>::max();
}

}  // namespace

AverageFactor average_factor(int64_t count, int64_t scale_shift) {
  int32_t shift = kMaxShift;
  while (shift > 0 &&
         !fits(kMaxMagnitude * count, multiplier_of(count, scale_shift, shift), shift)) {
    --shift;
  }
  // A larger multiplier without a shift: all sums but 0 are clipped.
  const int64_t multiplier = std::min(multiplier_of(count, scale_shift, shift), kMaxMultiplier);
  return {static_cast<int32_t>(multiplier), shift};
}

AverageFactor scaled_average_factor(int64_t count, double ratio) {
  const auto multiplier = [&](int32_t shift) {
    return std::llround(std::ldexp(ratio, shift) / static_cast<double>(count));
  };
  int32_t shift = kMaxShift;
  while (shift > 0 && !fits(kMaxDistance * count, multiplier(shift), shift)) --shift;
  return {static_cast<int32_t>(std::min<int64_t>(multiplier(shift), kMaxMultiplier)), shift};
}

}  // namespace vta
