// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_NUMBERS_ROUND_UP_H_
#define VTA_BASE_NUMBERS_ROUND_UP_H_

#include <cstdint>

namespace vta {

// The smallest multiple of `multiple` that is at least `value`. value + multiple must not overflow.
constexpr uint64_t round_up(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace vta

#endif  // VTA_BASE_NUMBERS_ROUND_UP_H_
