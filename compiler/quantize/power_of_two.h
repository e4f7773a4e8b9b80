// SPDX-License-Identifier: Apache-2.0
//
// Power-of-two scales: a tensor with f fractional bits holds round(x * 2^f), ties away from zero,
// within +-127.
#ifndef VTA_COMPILER_QUANTIZE_POWER_OF_TWO_H_
#define VTA_COMPILER_QUANTIZE_POWER_OF_TWO_H_

#include <bit>
#include <cstdint>
#include <functional>
#include <span>

namespace vta::quantize {

inline constexpr int kMaxInt8 = 127;
// Operands of a sum are at most that far apart: it fits 24 bits. A finer one is rounded first.
inline constexpr int kMaxScaleGapBits = 16;
// For activations: the magnitudes of normal float32 numbers; the scales are normal, too.
inline constexpr int kMinFracBits = -121, kMaxFracBits = 122;  // 4 finer: 2^126

// 2^exponent, for exponents of normal doubles. A product with it is std::ldexp() for all float32
// numbers and scales, without a call.
inline double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(1023 + exponent) << 52);
}

// The smallest e with 2^e >= x, for x > 0 and finite.
int ceil_log2(double x);

// max |x|; 0 if there are no values.
double max_abs(std::span<const float> values);

// Fractional bits of weights by their largest: 7 - ceil(log2 max|w|), a scale of
// 2^ceil(log2 max|w|) / 128; 7 if all are zero. A largest weight that is a power of two is clipped
// from 128 to 127.
int weight_frac_bits_by_max(std::span<const float> weights);

inline constexpr int kMaxFinerBits = 4;

// `sum` plus (w - q(w))^2 of each weight at `frac_bits` fractional bits, weighted by its
// `importance` if given: the mean square of the inputs that the weight multiplies.
double weight_error(std::span<const float> weights, int frac_bits,
                    std::span<const double> importance = {}, double sum = 0);

// Fractional bits of weights with the least weight_error(), from weight_frac_bits_by_max() to
// kMaxFinerBits more.
int weight_frac_bits_by_error(std::span<const float> weights,
                              std::span<const double> importance = {});
// The same from `coarsest` on by any error; a finer scale must lower it by the fraction `margin`.
// `error_at` may return any error of at least `limit` instead of a larger one.
using ErrorAt = std::function<double(int frac_bits, double limit)>;
int frac_bits_by_error(int coarsest, double margin, const ErrorAt& error_at);
// A finer scale must lower an error by this fraction, so that differences in the last bits of fp32
// do not change the choice.
inline constexpr double kErrorMargin = 1.0 / 64;

// Fractional bits of activations: the largest number at which `largest` is not clipped.
int frac_bits_without_clipping(double largest);

// round(x * 2^frac_bits) within +-127.
int quantized(double x, int frac_bits);
// The same of each of `values`; `result` has as many elements.
void quantize_all(std::span<const float> values, int frac_bits, std::span<int8_t> result);

// round(b * 2^frac_bits), within +-2^30, which leaves headroom for the sum.
int32_t quantized_bias(double bias, int frac_bits);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_POWER_OF_TWO_H_
