// SPDX-License-Identifier: Apache-2.0
//
// Power-of-two scales: a tensor with f fractional bits holds round(x * 2^f), ties away from zero,
// within +-127.
#ifndef VTA_COMPILER_QUANTIZE_POWER_OF_TWO_H_
#define VTA_COMPILER_QUANTIZE_POWER_OF_TWO_H_

#include <cstdint>
#include <span>

namespace vta::quantize {

inline constexpr int kMaxInt8 = 127;
inline constexpr int kMinFracBits = -24, kMaxFracBits = 24;  // of activations

// The smallest e with 2^e >= x, for x > 0 and finite.
int ceil_log2(double x);

// max |x|, 0 for none.
double max_abs(std::span<const float> values);

// Weights: 7 - ceil(log2 max|w|), so that the scale is 2^ceil(log2 max|w|) / 128; 7 for all zeros.
// A weight of exactly a power of two that is also the largest is clipped from 128 to 127.
int weight_frac_bits_by_max(std::span<const float> weights);

inline constexpr int kMaxFinerBits = 4;

// The sum of (w - q(w))^2 at that many fractional bits; each times its `importance`, if any are
// given: the mean square of what the weight is multiplied with.
double weight_error(std::span<const float> weights, int frac_bits,
                    std::span<const double> importance = {});

// Weights: the number of fractional bits with the smallest error of that kind, between
// weight_frac_bits_by_max() and kMaxFinerBits more.
int weight_frac_bits_by_error(std::span<const float> weights,
                              std::span<const double> importance = {});

// Activations: the most fractional bits at which `largest` is not clipped.
int frac_bits_without_clipping(double largest);

// round(x * 2^frac_bits) within +-127.
int quantized(double x, int frac_bits);

// round(b * 2^frac_bits), within +-2^30: sums that start there have room before they wrap.
int32_t quantized_bias(double bias, int frac_bits);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_POWER_OF_TWO_H_
