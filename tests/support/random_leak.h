// SPDX-License-Identifier: Apache-2.0
//
// Draws a leaky relu of an integer operator.
#ifndef VTA_TESTS_SUPPORT_RANDOM_LEAK_H_
#define VTA_TESTS_SUPPORT_RANDOM_LEAK_H_

#include "base/numbers/random.h"
#include "runtime/tensor/leak.h"
#include "runtime/tensor/op.h"

namespace vta::test {

inline void draw_leak(Random& random, OpAttrs& attrs) {
  attrs.leak_shift = random.between(0, kMaxLeakShift);
  attrs.leak = random.between(min_leak(attrs.leak_shift), max_leak(attrs.leak_shift));
}

// After draw_leak(), for attributes that have become scaled.
inline void draw_leak_zero(Random& random, OpAttrs& attrs) {
  if (attrs.leak != 0 && attrs.shift >= kMinOffsetShift && random.chance(70))
    attrs.result_zero = random.between(-128, 127);
}

}  // namespace vta::test

#endif  // VTA_TESTS_SUPPORT_RANDOM_LEAK_H_
