// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/power_of_two.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vta::quantize {
namespace {

constexpr double kMaxBias = 1 << 30;

}  // namespace

int ceil_log2(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // in [0.5, 1)
  return mantissa == 0.5 ? exponent - 1 : exponent;
}

double max_abs(std::span<const float> values) {
  float largest = 0;
  for (float x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

int weight_frac_bits_by_max(std::span<const float> weights) {
  const double largest = max_abs(weights);
  return largest == 0 ? 7 : 7 - ceil_log2(largest);
}

double weight_error(std::span<const float> weights, int frac_bits,
                    std::span<const double> importance, double sum) {
  const double levels = power_of_two(frac_bits), unit = power_of_two(-frac_bits);
  const double limit = kMaxInt8;
  // The squares are computed on vectors and then added one by one, so that the sum's last bits are
  // the same on every machine.
  std::array<double, 64> squares;
  for (size_t first = 0; first < weights.size(); first += squares.size()) {
    const size_t count = std::min(squares.size(), weights.size() - first);
    for (size_t i = 0; i < count; ++i) {
      const double x = weights[first + i];
      const double error = x - std::round(std::clamp(x * levels, -limit, limit)) * unit;
      squares[i] = error * error;
    }
    if (!importance.empty()) {
      for (size_t i = 0; i < count; ++i) squares[i] *= importance[first + i];
    }
    for (size_t i = 0; i < count; ++i) sum += squares[i];
  }
  return sum;
}

int frac_bits_by_error(int coarsest, double margin, const ErrorAt& error_at) {
  int best = coarsest;
  double least = error_at(coarsest, std::numeric_limits<double>::infinity());
  for (int frac_bits = coarsest + 1; frac_bits <= coarsest + kMaxFinerBits; ++frac_bits) {
    const double limit = least * (1 - margin);
    const double error = error_at(frac_bits, limit);
    if (error >= limit) break;
    least = error;
    best = frac_bits;
  }
  return best;
}

int weight_frac_bits_by_error(std::span<const float> weights, std::span<const double> importance) {
  return frac_bits_by_error(
      weight_frac_bits_by_max(weights), importance.empty() ? 0 : kErrorMargin,
      [&](int frac_bits, double) { return weight_error(weights, frac_bits, importance); });
}

int frac_bits_without_clipping(double largest) {
  // Values up to 127.5 round to 127. The margin keeps round numbers such as 1.0, and their errors
  // in the last bits of fp32, away from the limit.
  constexpr double kLimit = (kMaxInt8 + 0.5) * (1 - 0x1p-10);
  if (largest == 0) return 7;
  const int frac_bits = 8 - ceil_log2(largest);
  const int chosen = std::ldexp(largest, frac_bits) < kLimit ? frac_bits : frac_bits - 1;
  return std::clamp(std::ldexp(largest, chosen) < kLimit ? chosen : chosen - 1, kMinFracBits,
                    kMaxFracBits);
}

int quantized(double x, int frac_bits) {
  const double limit = kMaxInt8;
  return static_cast<int>(std::round(std::clamp(x * power_of_two(frac_bits), -limit, limit)));
}

void quantize_all(std::span<const float> values, int frac_bits, std::span<int8_t> result) {
  for (size_t i = 0; i < values.size(); ++i)
    result[i] = static_cast<int8_t>(quantized(values[i], frac_bits));
}

int32_t quantized_bias(double bias, int frac_bits) {
  const double scaled = std::clamp(std::ldexp(bias, frac_bits), -kMaxBias, kMaxBias);
  return static_cast<int32_t>(std::round(scaled));
}

}  // namespace vta::quantize
