// SPDX-License-Identifier: Apache-2.0
//
// Requantization: an int32 sum to an int8 value.
#ifndef VTA_RUNTIME_HOST_REQUANTIZE_H_
#define VTA_RUNTIME_HOST_REQUANTIZE_H_

#include <algorithm>
#include <array>
#include <bit>
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
struct Requantization {
  Requantization() = default;
  explicit Requantization(const OpAttrs& attrs) : Requantization(attrs, attrs.shift, 1, 0) {}

  // `channel_bias`: which the sum does not contain.
  Requantization(const OpAttrs& attrs, int64_t shift, int32_t channel_factor, int32_t channel_bias)
      : pre(static_cast<int32_t>(attrs.pre_shift)),
        left(shift < 0 ? static_cast<int32_t>(-shift) : 0),
        right(shift > 0 ? static_cast<int32_t>(shift) : 0),
        factor(channel_factor),
        bias(channel_bias),
        half(right > 0 && !attrs.scaled ? static_cast<int32_t>(uint32_t{1} << (right - 1)) : 0),
        floor(attrs.relu ? 0 : INT32_MIN),
        leak(leak_factor_of(attrs)),
        lo(static_cast<int32_t>(attrs.lo)),
        hi(static_cast<int32_t>(attrs.hi)) {}

  int8_t operator()(int32_t sum) const {
    const auto bits = [](int32_t x) { return static_cast<uint32_t>(x); };
    auto x = static_cast<int32_t>(bits(sum >> pre) * bits(factor) + bits(bias));
    x = std::max(x, floor);
    x = static_cast<int32_t>((bits(x) << left) + bits(half)) >> right;
    return static_cast<int8_t>(std::max(leaky(std::min(x, hi), leak), lo));
  }

  int32_t pre = 0, left = 0, right = 0;
  int32_t factor = 0, bias = 0, half = 0;
  int32_t floor = 0;
  LeakFactor leak;  // the default one changes nothing
  int32_t lo = 0, hi = 0;
};

// In place of a Requantization: the sum itself.
struct Unchanged {
  int32_t operator()(int32_t sum) const { return sum; }
};

// Conversions of up to `channels` channels, field by field, so that vectors convert all at once.
template <class Conversion, size_t channels>
class SideBySide;

template <size_t channels>
class SideBySide<Unchanged, channels> {
 public:
  SideBySide(const Unchanged*, int64_t) {}
  void operator()(const int32_t* sums, int32_t* result) const {
    std::copy_n(sums, channels, result);
  }
};

template <size_t channels>
class SideBySide<Requantization, channels> {
 public:
  SideBySide(const Requantization* first, int64_t count) {
    for (int64_t c = 0; c < count; ++c) {
      const auto fields = std::bit_cast<Fields>(first[c]);
      for (size_t i = 0; i < fields.size(); ++i) fields_[i][static_cast<size_t>(c)] = fields[i];
    }
  }
  void operator()(const int32_t* sums, int8_t* result) const {
    for (size_t c = 0; c < channels; ++c) {
      Fields fields;
      for (size_t i = 0; i < fields.size(); ++i) fields[i] = fields_[i][c];
      result[c] = std::bit_cast<Requantization>(fields)(sums[c]);
    }
  }

 private:
  using Fields = std::array<int32_t, sizeof(Requantization) / sizeof(int32_t)>;
  std::array<std::array<int32_t, channels>, std::tuple_size_v<Fields>> fields_ = {};
};

// One for each channel of a convolution or dense layer with these operands: from its bias (operand
// 2), and its shifts or factors (operand 3). Errors: kInvalidArgument for a shift outside 0 to 31,
// and for free scales without factors.
std::vector<Requantization> channel_requantizations(const OpAttrs& attrs,
                                                    const std::vector<Tensor>& inputs);

// Calls write(elements, conversions) with the elements of a layer's result and, for each channel,
// what makes them of the sums: Requantizations for int8, Unchanged for int32 (sums_of_layer()).
template <class Write>
void with_result(const OpAttrs& attrs, const std::vector<Tensor>& inputs, Tensor& output,
                 const Write& write) {
  if (output.dtype() == DType::kInt32) {
    const std::vector<Unchanged> conversions(inputs[2].data<int32_t>().size());
    write(output.mutable_data<int32_t>().data(), conversions);
  } else {
    write(output.mutable_data<int8_t>().data(), channel_requantizations(attrs, inputs));
  }
}

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_REQUANTIZE_H_
