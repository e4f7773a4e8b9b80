// SPDX-License-Identifier: Apache-2.0
//
// The integer leaky relu, in terms of the core's ALU: a multiplication by an 8-bit immediate, a
// rounding shift and a maximum.
//
//   leaky(x) = max(x, ((x + offset) * multiplier + 2^(shift - 1)) >> shift)
//
// Shift 0 has no rounding.
// The offset is 0 if the level of 0.0, the zero point z, is 0. Otherwise it is the integer closest
// to z / slope - z: the line goes through (z, z) up to slope / 2, so leaky(z) = z.
//
// x is a number that requantization has shifted to the scale of the result and clipped from above,
// but not from below: the slope applies before the lower limit, -128 or above. The slope is 1/256
// at least, so that all x + offset below kMinLeaky become the lower limit; they may be set to
// kMinLeaky, whose product fits 32 bits. With an offset |x| is at most kMaxOffsetLeaky.
#ifndef VTA_RUNTIME_TENSOR_LEAK_H_
#define VTA_RUNTIME_TENSOR_LEAK_H_

#include <algorithm>
#include <cstdint>

#include "runtime/tensor/op.h"

namespace vta {

// The slope is multiplier / 2^shift, from 1/256 to 1. The default factor changes nothing.
struct LeakFactor {
  int32_t multiplier = 1;  // min_leak() to max_leak()
  int32_t shift = 0;       // 0 to kMaxLeakShift
  int32_t offset = 0;      // z / slope - z, within 16 bits

  bool operator==(const LeakFactor&) const = default;
};

// Limits of the attributes `leak` and `leak_shift`. A leak of 0: not leaky.
inline constexpr int64_t kMaxLeakShift = 15;
inline constexpr int64_t min_leak(int64_t shift) {
  return (int64_t{1} << shift) > 256 ? (int64_t{1} << shift) / 256 : 1;
}
inline constexpr int64_t max_leak(int64_t shift) {
  return (int64_t{1} << shift) < 255 ? int64_t{1} << shift : 255;
}
inline constexpr double kMinLeakSlope = 1.0 / 256;
inline constexpr int32_t kMinLeaky = -32768;
inline constexpr int32_t kMaxOffsetLeaky = int32_t{1} << 30;
inline constexpr int64_t kMinOffsetShift = 1;  // of a sum, for |x| up to kMaxOffsetLeaky

// The factor closest to a slope from kMinLeakSlope to 1, about 0. Its relative error is at most
// 1/256.
LeakFactor leak_factor(double slope);

// The factor of an integer operator's attributes leak, leak_shift and result_zero.
LeakFactor leak_factor_of(const OpAttrs& attrs);

// Exact for results from -128; others are below -128, too.
inline int32_t leaky(int32_t x, const LeakFactor& factor) {
  const int32_t rounding = (int32_t{1} << factor.shift) >> 1;
  const int32_t moved = factor.offset == 0 ? x : std::max(x, -kMaxOffsetLeaky) + factor.offset;
  const int32_t product = std::max(moved, kMinLeaky) * factor.multiplier;
  return std::max(x, (product + rounding) >> factor.shift);
}

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_LEAK_H_
