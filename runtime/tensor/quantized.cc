// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/quantized.h"

#ifdef __ARM_NEON
#include <arm_neon.h>
#endif

namespace vta {
namespace {

#ifdef __ARM_NEON

constexpr ptrdiff_t kVectorElems = 8;

// Twice the scaled elements, without their fractions. Conversions saturate and make 0 of NaN.
// NEON of 32-bit ARM takes subnormal numbers for zero, which they are when quantized.
int16x4_t halves_of(const float* from, float32x4_t twice_scale) {
  return vqmovn_s32(vcvtq_s32_f32(vmulq_f32(vld1q_f32(from), twice_scale)));
}

int8x8_t quantized_vector(const float* from, float32x4_t twice_scale) {
  const int16x8_t halves =
      vcombine_s16(halves_of(from, twice_scale), halves_of(from + 4, twice_scale));
  const int16x8_t bounded = vmaxq_s16(halves, vdupq_n_s16(2 * -127));
  // The narrowing shift rounds ties up, but ties of negative numbers must go down.
  return vqrshrn_n_s16(vsraq_n_s16(bounded, bounded, 15), 1);
}

#endif

}  // namespace

void quantize_elements(const float* from, ptrdiff_t count, float scale, int8_t* to) {
#ifdef __ARM_NEON
  const float32x4_t twice_scale = vdupq_n_f32(2 * scale);
#pragma clang loop unroll_count(4)
  for (; count >= kVectorElems; count -= kVectorElems) {
    vst1_s8(to, quantized_vector(from, twice_scale));
    from += kVectorElems;
    to += kVectorElems;
  }
#endif
  for (ptrdiff_t i = 0; i < count; ++i) to[i] = quantized(from[i], scale);
}

void quantize_elements(const float* from, ptrdiff_t count, const Attrs<OpKind::kQuantize>& attrs,
                       int8_t* to) {
  if (attrs.unit == 0)
    return quantize_elements(from, count, quantization_scale(attrs.frac_bits), to);
  const auto unit = static_cast<float>(attrs.unit);
  for (ptrdiff_t i = 0; i < count; ++i) to[i] = level_of(from[i], unit, attrs.zero);
}

void dequantize_elements(const Tensor& from, const Attrs<OpKind::kDequantize>& attrs,
                         std::span<float> to) {
  VTA_ASSERT(from.num_elems() == static_cast<int64_t>(to.size()), "an element for each number");
  if (attrs.unit != 0) {
    const auto x = from.data<int8_t>();
    const auto unit = static_cast<float>(attrs.unit);
    for (size_t i = 0; i < to.size(); ++i) to[i] = static_cast<float>(x[i] - attrs.zero) * unit;
    return;
  }
  const double scale = std::ldexp(1.0, -static_cast<int>(attrs.frac_bits));
  const auto convert = [&](auto x) {
    for (size_t i = 0; i < to.size(); ++i) to[i] = static_cast<float>(x[i] * scale / attrs.divisor);
  };
  if (from.dtype() == DType::kInt8) return convert(from.data<int8_t>());
  convert(from.data<int32_t>());
}

}  // namespace vta
