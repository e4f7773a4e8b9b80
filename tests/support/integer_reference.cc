// SPDX-License-Identifier: Apache-2.0
#include "tests/support/integer_reference.h"

namespace vta::test {
namespace {

// The value of the low 32 bits, as a signed number.
int64_t wrapped(int64_t x) {
  const int64_t low = x & 0xffffffff;
  return low < 0x80000000 ? low : low - 0x100000000;
}

int64_t floor_divide(int64_t x, int64_t divisor) {
  const int64_t quotient = x / divisor;
  return x % divisor != 0 && x < 0 ? quotient - 1 : quotient;
}

int64_t power_of_two(int64_t exponent) { return int64_t{1} << exponent; }

int8_t requantized(int64_t sum, const OpAttrs& attrs) {
  int64_t x = wrapped(sum);
  if (attrs.relu && x < 0) x = 0;
  if (attrs.shift > 0) {
    x = floor_divide(wrapped(x + power_of_two(attrs.shift - 1)), power_of_two(attrs.shift));
  }
  if (attrs.shift < 0) x = wrapped(x * power_of_two(-attrs.shift));
  if (static_cast<double>(x) < attrs.lo) return static_cast<int8_t>(attrs.lo);
  if (static_cast<double>(x) > attrs.hi) return static_cast<int8_t>(attrs.hi);
  return static_cast<int8_t>(x);
}

}  // namespace

Tensor reference_qconv2d(const OpAttrs& attrs, const Tensor& x, const Tensor& w, const Tensor& b) {
  const int64_t num = x.dim(0), ic = x.dim(1), ih = x.dim(2), iw = x.dim(3);
  const int64_t oc = w.dim(0), group_ic = w.dim(1), kh = w.dim(2), kw = w.dim(3);
  const int64_t reach_h = (kh - 1) * attrs.dilation[0] + 1,
                reach_w = (kw - 1) * attrs.dilation[1] + 1;
  const int64_t oh = (ih + attrs.pad[0] + attrs.pad[2] - reach_h) / attrs.stride[0] + 1;
  const int64_t ow = (iw + attrs.pad[1] + attrs.pad[3] - reach_w) / attrs.stride[1] + 1;
  const auto xs = x.data<int8_t>(), ws = w.data<int8_t>();
  const auto bs = b.data<int32_t>();
  std::vector<int8_t> result;
  for (int64_t n = 0; n < num; ++n) {
    for (int64_t o = 0; o < oc; ++o) {
      const int64_t group = o / (oc / attrs.groups);
      for (int64_t y = 0; y < oh; ++y) {
        for (int64_t z = 0; z < ow; ++z) {
          int64_t sum = bs[o];
          for (int64_t c = 0; c < group_ic; ++c) {
            for (int64_t p = 0; p < kh; ++p) {
              for (int64_t q = 0; q < kw; ++q) {
                const int64_t row = y * attrs.stride[0] + p * attrs.dilation[0] - attrs.pad[0];
                const int64_t column = z * attrs.stride[1] + q * attrs.dilation[1] - attrs.pad[1];
                if (row < 0 || row >= ih || column < 0 || column >= iw) continue;
                const int64_t channel = group * group_ic + c;
                sum += int64_t{xs[((n * ic + channel) * ih + row) * iw + column]} *
                       int64_t{ws[((o * group_ic + c) * kh + p) * kw + q]};
              }
            }
          }
          result.push_back(requantized(sum, attrs));
        }
      }
    }
  }
  return Tensor({num, oc, oh, ow}, result);
}

Tensor reference_qdense(const OpAttrs& attrs, const Tensor& x, const Tensor& w, const Tensor& b) {
  const int64_t num = x.dim(0), ic = x.dim(1), oc = w.dim(0);
  std::vector<int8_t> result;
  for (int64_t n = 0; n < num; ++n) {
    for (int64_t o = 0; o < oc; ++o) {
      int64_t sum = b.data<int32_t>()[o];
      for (int64_t c = 0; c < ic; ++c) {
        sum += int64_t{x.data<int8_t>()[n * ic + c]} * int64_t{w.data<int8_t>()[o * ic + c]};
      }
      result.push_back(requantized(sum, attrs));
    }
  }
  return Tensor({num, oc}, result);
}

Tensor reference_qadd(const OpAttrs& attrs, const Tensor& a, const Tensor& b) {
  std::vector<int8_t> result;
  for (int64_t i = 0; i < a.num_elems(); ++i) {
    const int64_t shifted_a = int64_t{a.data<int8_t>()[i]} * power_of_two(attrs.shift_a);
    const int64_t shifted_b = int64_t{b.data<int8_t>()[i]} * power_of_two(attrs.shift_b);
    result.push_back(requantized(shifted_a + shifted_b, attrs));
  }
  return Tensor(a.shape(), result);
}

Tensor reference_execute(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs) {
  switch (kind) {
    case OpKind::kQConv2d:
      return reference_qconv2d(attrs, inputs.at(0), inputs.at(1), inputs.at(2));
    case OpKind::kQDense:
      return reference_qdense(attrs, inputs.at(0), inputs.at(1), inputs.at(2));
    case OpKind::kQAdd:
      return reference_qadd(attrs, inputs.at(0), inputs.at(1));
    default:
      break;
  }
  VTA_ASSERT(false, "one of qconv2d, qdense, qadd");
  return {};
}

}  // namespace vta::test
