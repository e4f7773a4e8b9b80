// SPDX-License-Identifier: Apache-2.0
//
// Requantization: from a 32-bit sum to an int8 value.
#ifndef VTA_RUNTIME_HOST_REQUANTIZE_H_
#define VTA_RUNTIME_HOST_REQUANTIZE_H_

#include <algorithm>
#include <cstdint>

#include "runtime/tensor/op.h"

namespace vta::host {

// relu: max(x, 0); shift n > 0: (x + 2^(n-1)) >> n; n < 0: x << -n; clip to [lo, hi]. Sums wrap
// around.
class Requantization {
 public:
  explicit Requantization(const OpAttrs& attrs)
      : left_(attrs.shift < 0 ? static_cast<int>(-attrs.shift) : 0),
        right_(attrs.shift > 0 ? static_cast<int>(attrs.shift) : 0),
        half_(right_ > 0 ? uint32_t{1} << (right_ - 1) : 0),
        floor_(attrs.relu ? 0 : INT32_MIN),
        lo_(static_cast<int32_t>(attrs.lo)),
        hi_(static_cast<int32_t>(attrs.hi)) {}

  int8_t operator()(int32_t x) const {
    x = std::max(x, floor_);
    x = static_cast<int32_t>((static_cast<uint32_t>(x) << left_) + half_) >> right_;
    return static_cast<int8_t>(std::min(std::max(x, lo_), hi_));
  }

 private:
  int left_, right_;
  uint32_t half_;
  int32_t floor_, lo_, hi_;
};

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_REQUANTIZE_H_
