// SPDX-License-Identifier: Apache-2.0
//
// The integer average of qavg_pool2d, as the core's ALU computes it: the int32 sum of a window, one
// multiplication by a 16-bit immediate, and one rounding shift.
//
//   average = clip((sum * multiplier + 2^(shift - 1)) >> shift, -127, 127)     shift 0: no rounding
//
// The multiplier approximates 2^shift / (count * 2^scale_shift). It has as many bits as the
// immediate and the int32 product allow. The result differs from the exact quotient, rounded half
// up, by at most 1. For windows of up to 512 elements it does so only if the quotient is within
// 1/128 of a half.
#ifndef VTA_RUNTIME_TENSOR_AVERAGE_H_
#define VTA_RUNTIME_TENSOR_AVERAGE_H_

#include <cstdint>

namespace vta {

// Elements of a window. Larger ones leave too few bits for the multiplier.
inline constexpr int64_t kMaxAverageElems = 65536;

struct AverageFactor {
  int32_t multiplier = 1;  // 0 to 32767
  int32_t shift = 0;       // 0 to 30

  bool operator==(const AverageFactor&) const = default;
};

// For windows of `count` elements (1 to kMaxAverageElems), whose average is divided by
// 2^scale_shift (-16 to 16).
AverageFactor average_factor(int64_t count, int64_t scale_shift);

// `sum` is that of at most `count` int8 numbers: the product fits 32 bits.
inline int8_t average_of(int32_t sum, const AverageFactor& factor) {
  const int32_t rounding = factor.shift > 0 ? int32_t{1} << (factor.shift - 1) : 0;
  const int32_t quotient = (sum * factor.multiplier + rounding) >> factor.shift;
  return static_cast<int8_t>(quotient < -127 ? -127 : quotient > 127 ? 127 : quotient);
}

// The largest ratio of free scales; more does not fit the immediate.
inline constexpr double kMaxAverageRatio = 32767;

// For free scales (free_scales.h): of numbers whose average is multiplied by `ratio` (at most
// kMaxAverageRatio), each within +-255.
AverageFactor scaled_average_factor(int64_t count, double ratio);

// The result, -128 to 127, for `sum`, that of q - zero, and the zero point of the result.
inline int8_t scaled_average_of(int32_t sum, const AverageFactor& factor, int64_t result_zero) {
  const int32_t rounding = factor.shift > 0 ? int32_t{1} << (factor.shift - 1) : 0;
  const int64_t level = ((sum * factor.multiplier + rounding) >> factor.shift) + result_zero;
  return static_cast<int8_t>(level < -128 ? -128 : level > 127 ? 127 : level);
}

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_AVERAGE_H_
