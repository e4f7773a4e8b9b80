// SPDX-License-Identifier: Apache-2.0
//
// Requantization: an int32 sum to an int8 value.
#ifndef VTA_RUNTIME_HOST_REQUANTIZE_H_
#define VTA_RUNTIME_HOST_REQUANTIZE_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

// relu: max(x, 0); shift n > 0: (x + 2^(n-1)) >> n; n < 0: x << -n; clip to [lo, hi]. Sums wrap
// around.
class Requantization {
 public:
  explicit Requantization(const OpAttrs& attrs) : Requantization(attrs, attrs.shift) {}
  // With the shift of one channel.
  Requantization(const OpAttrs& attrs, int64_t shift)
      : left_(shift < 0 ? static_cast<int>(-shift) : 0),
        right_(shift > 0 ? static_cast<int>(shift) : 0),
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

// The shift of each channel: operand 3 if present, otherwise the attribute.
// Errors: kInvalidArgument for an operand element outside 0 to 31.
inline std::vector<int32_t> channel_shifts(const OpAttrs& attrs, const std::vector<Tensor>& inputs,
                                           int64_t num_channels) {
  if (inputs.size() < 4) {
    return std::vector<int32_t>(static_cast<size_t>(num_channels),
                                static_cast<int32_t>(attrs.shift));
  }
  const std::span<const int32_t> shifts = inputs[3].data<int32_t>();
  for (size_t c = 0; c < shifts.size(); ++c) {
    if (shifts[c] >= 0 && shifts[c] <= 31) continue;
    fail(ErrorCode::kInvalidArgument, "shift {} of channel {} is outside 0 to 31", shifts[c], c);
  }
  return {shifts.begin(), shifts.end()};
}

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_REQUANTIZE_H_
