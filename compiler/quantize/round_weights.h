// SPDX-License-Identifier: Apache-2.0
//
// Adaptive rounding: rounds weights to minimize the error of a layer's output rather than of the
// weights.
#ifndef VTA_COMPILER_QUANTIZE_ROUND_WEIGHTS_H_
#define VTA_COMPILER_QUANTIZE_ROUND_WEIGHTS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace vta::quantize {

// Rounds each weight of `rows` [n][size], given in units of its scale (w * 2^f), up or down within
// +-127. Minimizes, for each row, the mean square of the sum over (w - q) * (x - c), given the
// covariance [size][size] of x about a center c, such as its mean. Each weight in turn compensates
// the errors of the previous ones; then coordinate descent runs while single changes help. Rounds
// to nearest where x is uncorrelated.
std::vector<int8_t> round_weights(std::span<const double> rows, std::span<const float> covariance,
                                  int64_t size);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_ROUND_WEIGHTS_H_
