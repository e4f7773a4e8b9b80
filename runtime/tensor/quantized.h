// SPDX-License-Identifier: Apache-2.0
//
// The quantization of a number, as the operator quantize (ops.def) defines it, and dequantize.
#ifndef VTA_RUNTIME_TENSOR_QUANTIZED_H_
#define VTA_RUNTIME_TENSOR_QUANTIZED_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta {

// 2^frac_bits, the factor of all elements of a tensor.
inline float quantization_scale(int64_t frac_bits) {
  return static_cast<float>(std::ldexp(1.0, static_cast<int>(frac_bits)));
}

// x * scale rounded as std::round (ties away from zero) and clipped to +-127; 0 for NaN. Loops over
// it vectorize.
inline int8_t quantized(float x, float scale) {
  const float scaled = x * scale;  // exact, as scale is a power of two
  const float bounded = std::min(std::max(scaled, -128.0f), 128.0f);
  const float known = std::isnan(scaled) ? 0.0f : bounded;
  const float whole = static_cast<float>(static_cast<int32_t>(known));
  const float rest = known - whole;  // exact
  const float rounded = whole + (rest >= 0.5f ? 1.0f : 0.0f) - (rest <= -0.5f ? 1.0f : 0.0f);
  return static_cast<int8_t>(std::min(std::max(rounded, -127.0f), 127.0f));
}

// quantized() of `count` elements, in NEON's instructions on ARM: 10 for 8 elements, where the
// compiler needs 50.
void quantize_elements(const float* from, ptrdiff_t count, float scale, int8_t* to);

// The elements by the operator's attributes: levels of attrs.unit and attrs.zero, or if the unit is
// 0 quantized() by attrs.frac_bits.
void quantize_elements(const float* from, ptrdiff_t count, const Attrs<OpKind::kQuantize>& attrs,
                       int8_t* to);

// The operator dequantize: the numbers that the int8 or int32 elements of `from` stand for, by
// attrs.unit and attrs.zero, or if the unit is 0 by attrs.frac_bits and attrs.divisor. As many as
// `to` has.
void dequantize_elements(const Tensor& from, const Attrs<OpKind::kDequantize>& attrs,
                         std::span<float> to);

// The level of x for a free scale, as ONNX's QuantizeLinear: the nearest level, ties to even; 0.0
// for NaN.
inline int8_t level_of(float x, float unit, int64_t zero) {
  const float quotient = std::isnan(x) ? 0.0f : x / unit;
  const float level = std::nearbyint(quotient) + static_cast<float>(zero);
  return static_cast<int8_t>(std::min(std::max(level, -128.0f), 127.0f));
}

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_QUANTIZED_H_
