// SPDX-License-Identifier: Apache-2.0
//
// Free scales: integer arithmetic for scales that are not powers of two, with what the core's ALU
// has (SHR, MUL and ADD on 32 bits). A tensor with unit u and zero point z holds q for the real
// number u * (q - z).
//
// A sum of products is requantized by one factor per channel and one shift for all,
//
//   result = clip(((sum >> pre_shift) * factor + bias) >> shift)
//
// where factor / 2^(shift - pre_shift) approximates the unit of the sum over that of the result.
// The bias holds, in units of 2^-shift of the result, the layer's bias, the zero points of x and of
// the result, half of the last place (so that halves are rounded up) and the mean of what pre_shift
// drops. Bits are chosen so that no result wraps, by the bounds of each channel's sum.
#ifndef VTA_RUNTIME_TENSOR_FREE_SCALES_H_
#define VTA_RUNTIME_TENSOR_FREE_SCALES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vta {

// A channel of a layer.
struct ScaledChannel {
  double ratio = 1;           // unit of the sums over unit of the result
  double bias = 0;            // of the layer, in units of the result, without zero points
  int64_t weight_sum = 0;     // sum of the weights, for the zero point of x
  int64_t low = 0, high = 0;  // bounds of the sum of weight * (q - zero)
};

// Sets the weights' sum and the bounds for any int8 q.
void set_weights(std::span<const int8_t> weights, int64_t zero, ScaledChannel& channel);

struct ScaledLayer {
  int64_t pre_shift = 0, shift = 0;
  std::vector<int32_t> factors, biases;
};

// Whether no requantization of a sum of weight * q, for any int8 q, wraps: then it is monotonic.
bool never_wraps(std::span<const int8_t> weights, int64_t pre_shift, int32_t factor, int32_t bias);

// The factors with the least error of a result before it is rounded. A pre_shift takes a pass of
// the ALU, so there is one only if the error of the largest results would otherwise exceed 1/9.
// `zero` is x's zero point, `result_zero` the result's. nullopt: the results exceed 32 bits, or one
// that is not clipped may be more than a level off, as where the ratios of channels are far apart.
std::optional<ScaledLayer> scaled_layer(const std::vector<ScaledChannel>& channels, int64_t zero,
                                        int64_t result_zero);

// (a * factor_a + b * factor_b + addend) >> shift: the sum of two tensors.
struct ScaledSum {
  int64_t factor_a = 0, factor_b = 0, addend = 0, shift = 0;
};

// Factors of at most 15 bits, for the ALU's immediate. A ratio is the unit of the operand over that
// of the result, 0 for an operand to be ignored. nullopt: a ratio exceeds 32767, or a result that
// is not clipped may be more than a level off, as where the ratios are far apart.
std::optional<ScaledSum> scaled_sum(double ratio_a, int64_t zero_a, double ratio_b, int64_t zero_b,
                                    int64_t result_zero);

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_FREE_SCALES_H_
