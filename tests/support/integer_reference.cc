// SPDX-License-Identifier: Apache-2.0
#include "tests/support/integer_reference.h"

#include <algorithm>
#include <cstdlib>

#include "runtime/tensor/average.h"

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

int8_t requantized(int64_t sum, const OpAttrs& attrs, int64_t shift) {
  int64_t x = wrapped(sum);
  if (attrs.relu && x < 0) x = 0;
  if (shift > 0) x = floor_divide(wrapped(x + power_of_two(shift - 1)), power_of_two(shift));
  if (shift < 0) x = wrapped(x * power_of_two(-shift));
  if (static_cast<double>(x) > attrs.hi) x = static_cast<int64_t>(attrs.hi);
  if (attrs.leak != 0) {
    const int64_t divisor = power_of_two(attrs.leak_shift);
    const int64_t line = attrs.result_zero * (divisor - attrs.leak);  // times the slope: offset
    const int64_t magnitude = (2 * std::abs(line) + attrs.leak) / (2 * attrs.leak);
    const int64_t offset = line < 0 ? -magnitude : magnitude;
    x = std::max(x, floor_divide((x + offset) * attrs.leak + divisor / 2, divisor));
  }
  if (static_cast<double>(x) < attrs.lo) return static_cast<int8_t>(attrs.lo);
  return static_cast<int8_t>(x);
}

// The result of a sum of products of a channel.
int8_t channel_result(int64_t sum, const OpAttrs& attrs, const Tensor& bias,
                      const std::vector<int32_t>& numbers, int64_t channel) {
  const int64_t b = bias.data<int32_t>()[static_cast<size_t>(channel)];
  if (!attrs.scaled) {
    const int64_t shift =
        numbers.empty() ? attrs.shift : int64_t{numbers.at(static_cast<size_t>(channel))};
    return requantized(sum + b, attrs, shift);
  }
  const int64_t kept = floor_divide(wrapped(sum), power_of_two(attrs.pre_shift));
  const int64_t product = wrapped(kept * numbers.at(static_cast<size_t>(channel)) + b);
  return requantized(floor_divide(product, power_of_two(attrs.shift)), attrs, 0);
}

std::vector<int32_t> operand_of_numbers(const std::vector<Tensor>& inputs) {
  if (inputs.size() < 4) return {};
  return {inputs[3].data<int32_t>().begin(), inputs[3].data<int32_t>().end()};
}

// The element of a broadcast operand for element `i` of a tensor of shape `result`.
int8_t broadcast_element(const Tensor& tensor, const std::vector<int64_t>& result, int64_t i) {
  int64_t at = 0, stride = 1;
  for (size_t k = 0; k < tensor.shape().size(); ++k) {
    const int64_t dim = tensor.shape()[tensor.shape().size() - 1 - k];
    const int64_t result_dim = result[result.size() - 1 - k];
    at += dim == 1 ? 0 : i % result_dim * stride;
    stride *= dim;
    i /= result_dim;
  }
  return tensor.data<int8_t>()[static_cast<size_t>(at)];
}

}  // namespace

Tensor reference_qconv2d(const OpAttrs& attrs, const Tensor& x, const Tensor& w, const Tensor& b,
                         const std::vector<int32_t>& numbers) {
  const int64_t num = x.dim(0), ic = x.dim(1), ih = x.dim(2), iw = x.dim(3);
  const int64_t oc = w.dim(0), group_ic = w.dim(1), kh = w.dim(2), kw = w.dim(3);
  const int64_t reach_h = (kh - 1) * attrs.dilation[0] + 1,
                reach_w = (kw - 1) * attrs.dilation[1] + 1;
  const int64_t oh = (ih + attrs.pad[0] + attrs.pad[2] - reach_h) / attrs.stride[0] + 1;
  const int64_t ow = (iw + attrs.pad[1] + attrs.pad[3] - reach_w) / attrs.stride[1] + 1;
  const auto xs = x.data<int8_t>(), ws = w.data<int8_t>();
  std::vector<int8_t> result;
  for (int64_t n = 0; n < num; ++n) {
    for (int64_t o = 0; o < oc; ++o) {
      const int64_t group = o / (oc / attrs.groups);
      for (int64_t y = 0; y < oh; ++y) {
        for (int64_t z = 0; z < ow; ++z) {
          int64_t sum = 0;
          for (int64_t c = 0; c < group_ic; ++c) {
            for (int64_t p = 0; p < kh; ++p) {
              for (int64_t q = 0; q < kw; ++q) {
                const int64_t row = y * attrs.stride[0] + p * attrs.dilation[0] - attrs.pad[0];
                const int64_t column = z * attrs.stride[1] + q * attrs.dilation[1] - attrs.pad[1];
                const bool inside = row >= 0 && row < ih && column >= 0 && column < iw;
                const int64_t channel = group * group_ic + c;
                const int64_t pixel =
                    inside ? int64_t{xs[((n * ic + channel) * ih + row) * iw + column]}
                           : attrs.zero;
                sum += pixel * int64_t{ws[((o * group_ic + c) * kh + p) * kw + q]};
              }
            }
          }
          result.push_back(channel_result(sum, attrs, b, numbers, o));
        }
      }
    }
  }
  return Tensor({num, oc, oh, ow}, result);
}

Tensor reference_qconv2d_transpose(const OpAttrs& attrs, const Tensor& x, const Tensor& w,
                                   const Tensor& b, const std::vector<int32_t>& numbers) {
  const int64_t num = x.dim(0), ic = x.dim(1), ih = x.dim(2), iw = x.dim(3);
  const int64_t group_oc = w.dim(1), kh = w.dim(2), kw = w.dim(3), oc = group_oc * attrs.groups;
  const auto result_size = [&](int64_t size, size_t axis) {
    return (size - 1) * attrs.stride[axis] - attrs.pad[axis] - attrs.pad[axis + 2] +
           attrs.dilation[axis] * (attrs.kernel[axis] - 1) + attrs.output_pad[axis] + 1;
  };
  const int64_t oh = result_size(ih, 0), ow = result_size(iw, 1);
  std::vector<int64_t> sums(static_cast<size_t>(num * oc * oh * ow));
  for (int64_t i = 0; i < x.num_elems(); ++i) {
    const int64_t column = i % iw, row = i / iw % ih, c = i / (iw * ih) % ic,
                  n = i / (iw * ih * ic);
    for (int64_t j = 0; j < group_oc * kh * kw; ++j) {
      const int64_t q = j % kw, p = j / kw % kh,
                    o = j / (kw * kh) + c / (ic / attrs.groups) * group_oc;
      const int64_t y = row * attrs.stride[0] + p * attrs.dilation[0] - attrs.pad[0];
      const int64_t z = column * attrs.stride[1] + q * attrs.dilation[1] - attrs.pad[1];
      if (y < 0 || y >= oh || z < 0 || z >= ow) continue;
      sums[static_cast<size_t>(((n * oc + o) * oh + y) * ow + z)] +=
          int64_t{x.data<int8_t>()[i]} * int64_t{w.data<int8_t>()[c * group_oc * kh * kw + j]};
    }
  }
  std::vector<int8_t> result;
  for (int64_t i = 0; i < num * oc * oh * ow; ++i) {
    const int64_t o = i / (oh * ow) % oc;
    result.push_back(channel_result(sums[static_cast<size_t>(i)], attrs, b, numbers, o));
  }
  return Tensor({num, oc, oh, ow}, result);
}

Tensor reference_qdense(const OpAttrs& attrs, const Tensor& x, const Tensor& w, const Tensor& b,
                        const std::vector<int32_t>& numbers) {
  const int64_t num = x.dim(0), ic = x.dim(1), oc = w.dim(0);
  std::vector<int8_t> result;
  for (int64_t n = 0; n < num; ++n) {
    for (int64_t o = 0; o < oc; ++o) {
      int64_t sum = 0;
      for (int64_t c = 0; c < ic; ++c) {
        sum += int64_t{x.data<int8_t>()[n * ic + c]} * int64_t{w.data<int8_t>()[o * ic + c]};
      }
      result.push_back(channel_result(sum, attrs, b, numbers, o));
    }
  }
  return Tensor({num, oc}, result);
}

Tensor reference_qadd(const OpAttrs& attrs, const Tensor& a, const Tensor& b) {
  std::vector<int8_t> result;
  for (int64_t i = 0; i < a.num_elems(); ++i) {
    if (attrs.scaled) {
      const int64_t sum = a.data<int8_t>()[i] * attrs.factor_a +
                          b.data<int8_t>()[i] * attrs.factor_b + attrs.addend;
      result.push_back(
          requantized(floor_divide(wrapped(sum), power_of_two(attrs.shift)), attrs, 0));
      continue;
    }
    const int64_t shifted_a = int64_t{a.data<int8_t>()[i]} * power_of_two(attrs.shift_a);
    const int64_t shifted_b = int64_t{b.data<int8_t>()[i]} * power_of_two(attrs.shift_b);
    result.push_back(requantized(shifted_a + shifted_b, attrs, attrs.shift));
  }
  return Tensor(a.shape(), result);
}

Tensor reference_qmul(const OpAttrs& attrs, const Tensor& a, const Tensor& b) {
  const TensorType type = infer_type(OpKind::kQMul, attrs, {a.type(), b.type()});
  std::vector<int8_t> result;
  for (int64_t i = 0; i < type.num_elems(); ++i) {
    int64_t second = broadcast_element(b, type.shape, i);
    if (attrs.gate != 0) {
      second += attrs.addend;
      if (second < 0) second = 0;
      if (second > attrs.gate) second = attrs.gate;
      second *= attrs.factor_a;
    }
    const int64_t product = int64_t{broadcast_element(a, type.shape, i)} * second;
    result.push_back(requantized(product, attrs, attrs.shift));
  }
  return Tensor(type.shape, result);
}

// The matrix of an operand that is broadcast, for a matrix of the result.
int64_t matrix_of(const Tensor& operand, const std::vector<int64_t>& result, int64_t matrix) {
  int64_t number = 0, step = 1;
  for (int64_t axis = std::ssize(result) - 3; axis >= 0; --axis) {
    const int64_t position = matrix % result[static_cast<size_t>(axis)];
    matrix /= result[static_cast<size_t>(axis)];
    const int64_t own = axis - (std::ssize(result) - std::ssize(operand.shape()));
    if (own < 0) break;
    if (operand.dim(own) > 1) number += position * step;
    step *= operand.dim(own);
  }
  return number;
}

Tensor reference_qmatmul(const OpAttrs& attrs, const Tensor& a, const Tensor& b) {
  const TensorType type = infer_type(OpKind::kQMatmul, attrs, {a.type(), b.type()});
  const int64_t rank = std::ssize(type.shape);
  const int64_t m = type.shape[rank - 2], n = type.shape[rank - 1], k = a.shape().back();
  std::vector<int8_t> result;
  for (int64_t i = 0; i < type.num_elems(); ++i) {
    const int64_t row = i / n % m, column = i % n;
    const int64_t of_a = matrix_of(a, type.shape, i / (m * n));
    const int64_t of_b = matrix_of(b, type.shape, i / (m * n));
    int64_t sum = 0;
    for (int64_t j = 0; j < k; ++j) {
      sum += int64_t{a.data<int8_t>()[(of_a * m + row) * k + j]} *
             b.data<int8_t>()[(of_b * k + j) * n + column];
    }
    if (attrs.scaled) {
      const int64_t product =
          wrapped(floor_divide(wrapped(sum), power_of_two(attrs.pre_shift)) * attrs.factor_a +
                  attrs.addend);
      result.push_back(requantized(floor_divide(product, power_of_two(attrs.shift)), attrs, 0));
    } else {
      result.push_back(requantized(wrapped(sum), attrs, attrs.shift));
    }
  }
  return Tensor(type.shape, result);
}

Tensor reference_qavg_pool2d(const OpAttrs& attrs, const Tensor& x) {
  const TensorType type = infer_type(OpKind::kQAvgPool2d, attrs, {x.type()});
  const int64_t ih = x.dim(2), iw = x.dim(3), ow = type.shape[3], oh = type.shape[2];
  std::vector<int8_t> result;
  for (int64_t i = 0; i < type.num_elems(); ++i) {
    int32_t sum = 0;
    int64_t count = 0, num_inside = 0;
    for (int64_t k = 0; k < attrs.kernel[0] * attrs.kernel[1]; ++k) {
      const int64_t row =
          i / ow % oh * attrs.stride[0] + k / attrs.kernel[1] * attrs.dilation[0] - attrs.pad[0];
      const int64_t column =
          i % ow * attrs.stride[1] + k % attrs.kernel[1] * attrs.dilation[1] - attrs.pad[1];
      const bool inside = row >= 0 && row < ih && column >= 0 && column < iw;
      // No window starts after the padding, even in ceil_mode.
      const bool padded = row < ih + attrs.pad[2] && column < iw + attrs.pad[3];
      if (inside) sum += x.data<int8_t>()[(i / (oh * ow) * ih + row) * iw + column];
      if (inside) ++num_inside;
      if (inside || (attrs.count_include_pad && padded)) ++count;
    }
    if (attrs.ratio == 0) {
      result.push_back(average_of(sum, average_factor(count, attrs.shift)));
    } else {
      const auto moved = static_cast<int32_t>(sum - num_inside * attrs.zero);
      result.push_back(
          scaled_average_of(moved, scaled_average_factor(count, attrs.ratio), attrs.result_zero));
    }
  }
  return Tensor(type.shape, result);
}

bool is_in_reference(OpKind kind) {
  switch (kind) {
    case OpKind::kQConv2d:
    case OpKind::kQConv2dTranspose:
    case OpKind::kQDense:
    case OpKind::kQMul:
    case OpKind::kQMatmul:
    case OpKind::kQAvgPool2d:
    case OpKind::kQAdd:
      return true;
    default:
      return false;
  }
}

Tensor reference_execute(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs) {
  switch (kind) {
    case OpKind::kQConv2d:
      return reference_qconv2d(attrs, inputs.at(0), inputs.at(1), inputs.at(2),
                               operand_of_numbers(inputs));
    case OpKind::kQConv2dTranspose:
      return reference_qconv2d_transpose(attrs, inputs.at(0), inputs.at(1), inputs.at(2),
                                         operand_of_numbers(inputs));
    case OpKind::kQDense:
      return reference_qdense(attrs, inputs.at(0), inputs.at(1), inputs.at(2),
                              operand_of_numbers(inputs));
    case OpKind::kQMul:
      return reference_qmul(attrs, inputs.at(0), inputs.at(1));
    case OpKind::kQMatmul:
      return reference_qmatmul(attrs, inputs.at(0), inputs.at(1));
    case OpKind::kQAvgPool2d:
      return reference_qavg_pool2d(attrs, inputs.at(0));
    case OpKind::kQAdd:
      return reference_qadd(attrs, inputs.at(0), inputs.at(1));
    default:
      break;
  }
  VTA_ASSERT(false, "an operator that the reference implements");
  return {};
}

}  // namespace vta::test
