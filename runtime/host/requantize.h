// SPDX-License-Identifier: Apache-2.0
//
// Requantization: an int32 sum to an int8 value.
#ifndef VTA_RUNTIME_HOST_REQUANTIZE_H_
#define VTA_RUNTIME_HOST_REQUANTIZE_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/errors/error.h"
#include "runtime/tensor/leak.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

// ((sum >> pre_shift) * factor + bias, then relu: max(x, 0); shift n > 0: (x + 2^(n-1)) >> n;
// n < 0: x << -n; clip to [lo, hi], before the lower limit leaky (runtime/tensor/leak.h). Sums wrap
// around. Without free scales the first shift is 0 and the factor 1; with them, the bias includes
// the rounding.
class Requantization {
 public:
  explicit Requantization(const OpAttrs& attrs) : Requantization(attrs, attrs.shift, 1, 0) {}

  // `bias`: the channel's, which the sum does not contain.
  Requantization(const OpAttrs& attrs, int64_t shift, int32_t factor, int32_t bias)
      : pre_(static_cast<int>(attrs.pre_shift)),
        left_(shift < 0 ? static_cast<int>(-shift) : 0),
        right_(shift > 0 ? static_cast<int>(shift) : 0),
        factor_(static_cast<uint32_t>(factor)),
        bias_(static_cast<uint32_t>(bias)),
        half_(right_ > 0 && !attrs.scaled ? uint32_t{1} << (right_ - 1) : 0),
        floor_(attrs.relu ? 0 : INT32_MIN),
        leak_(attrs.leak == 0 ? LeakFactor{}
                              : LeakFactor{static_cast<int32_t>(attrs.leak),
                                           static_cast<int32_t>(attrs.leak_shift)}),
        lo_(static_cast<int32_t>(attrs.lo)),
        hi_(static_cast<int32_t>(attrs.hi)) {}

  int8_t operator()(int32_t sum) const {
    int32_t x = static_cast<int32_t>(static_cast<uint32_t>(sum >> pre_) * factor_ + bias_);
    x = std::max(x, floor_);
    x = static_cast<int32_t>((static_cast<uint32_t>(x) << left_) + half_) >> right_;
    return static_cast<int8_t>(std::max(leaky(std::min(x, hi_), leak_), lo_));
  }

 private:
  int pre_, left_, right_;
  uint32_t factor_, bias_, half_;
  int32_t floor_;
  LeakFactor leak_;  // the default one changes nothing
  int32_t lo_, hi_;
};

// One for each channel of a convolution or dense layer with these operands: from its bias (operand
// 2), and its shifts or factors (operand 3). Errors: kInvalidArgument for a shift outside 0 to 31,
// and for free scales without factors.
std::vector<Requantization> channel_requantizations(const OpAttrs& attrs,
                                                    const std::vector<Tensor>& inputs);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_REQUANTIZE_H_
