// SPDX-License-Identifier: Apache-2.0
//
// Rounding of weights that keeps what a layer computes, not the weights themselves.
#ifndef VTA_COMPILER_QUANTIZE_ROUND_WEIGHTS_H_
#define VTA_COMPILER_QUANTIZE_ROUND_WEIGHTS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace vta::quantize {

// `rows`: [n][size] weights in steps of their scales (w * 2^f). Rounds each up or down, within
// +-127, such that for every row the mean square of the sum over (w - q) * (x - mean x) is small,
// given the covariance [size][size] of x: one weight after the other, each making up for the errors
// of those before, then again while single changes help. Nearest where x does not covary.
std::vector<int8_t> round_weights(std::span<const double> rows, std::span<const float> covariance,
                                  int64_t size);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_ROUND_WEIGHTS_H_
