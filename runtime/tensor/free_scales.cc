// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/free_scales.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vta {
namespace {

constexpr int64_t kMaxShift = 30;  // its rounding constant fits an int32
constexpr int64_t kMaxPreShift = 16;
// Just enough for a first convolution of 27 products to need no pre_shift.
constexpr double kSmallError = 1.0 / 9;
constexpr double kLargestError = 1;  // so a rounded result is at most a level off
constexpr double kLevels = 256;      // results beyond are clipped

bool fits_int32(double x) {
  return x >= std::numeric_limits<int32_t>::min() && x <= std::numeric_limits<int32_t>::max();
}

int64_t half_of(int64_t shift) { return shift > 0 ? int64_t{1} << (shift - 1) : 0; }

// A channel's factor and bias for given shifts; below 2^53 all of this is exact.
struct Requantized {
  double factor = 0, bias = 0;

  Requantized(const ScaledChannel& c, int64_t pre_shift, int64_t shift, int64_t zero,
              int64_t result_zero) {
    const auto scaled = [](double x, int64_t bits) {
      return std::ldexp(x, static_cast<int>(bits));
    };
    factor = std::round(scaled(c.ratio, shift + pre_shift));
    // SHR drops (2^pre_shift - 1) / 2 on average.
    const double moved = static_cast<double>(zero * c.weight_sum) - (scaled(1, pre_shift) - 1) / 2;
    bias = std::round(scaled(c.bias + static_cast<double>(result_zero), shift)) +
           static_cast<double>(half_of(shift)) - std::round(scaled(moved, -pre_shift) * factor);
  }
};

// Whether no sum of the channel wraps: sums are monotonic in the sum of products.
bool fits(const ScaledChannel& c, int64_t pre_shift, int64_t shift, int64_t zero,
          int64_t result_zero) {
  const Requantized r(c, pre_shift, shift, zero, result_zero);
  if (!fits_int32(r.factor) || !fits_int32(r.bias)) return false;
  return std::ranges::all_of(std::initializer_list<int64_t>{c.low, c.high}, [&](int64_t bound) {
    const int64_t sum = bound + zero * c.weight_sum;
    return fits_int32(static_cast<double>(sum)) &&
           fits_int32(static_cast<double>(sum >> pre_shift) * r.factor + r.bias);
  });
}

// Bound of the error of results that are not clipped, before they are rounded. Their sums may be
// large where a bias takes most of them away.
double error_of(const ScaledChannel& c, int64_t pre_shift, int64_t shift) {
  const auto largest = static_cast<double>(std::max(-c.low, c.high));
  const double sum =
      c.ratio > 0 ? std::min(largest, (kLevels + std::abs(c.bias)) / c.ratio) : largest;
  const double by_factor = std::ldexp(sum, static_cast<int>(-shift - pre_shift - 1));
  const double by_shift =
      pre_shift > 0 ? std::ldexp(std::abs(c.ratio), static_cast<int>(pre_shift) - 1) : 0;
  const double by_bias = std::ldexp(pre_shift > 0 ? 1.0 : 0.5, -static_cast<int>(shift));
  return by_factor + by_shift + by_bias;
}

struct Operand {
  double ratio = 0;
  int64_t zero = 0;
  int64_t factor = 0;

  // What an int8 level is from the zero point, at most.
  double largest() const { return static_cast<double>(128 + std::abs(zero)); }
};

// Bound of what the factor of `a` changes in results that are not clipped.
double error_of(const Operand& a, const Operand& b, int64_t shift) {
  if (a.ratio <= 0) return 0;
  const double in_range = (kLevels + b.ratio * b.largest()) / a.ratio;
  const double factor = std::ldexp(static_cast<double>(a.factor), -static_cast<int>(shift));
  return std::abs(factor - a.ratio) * std::min(a.largest(), in_range);
}

}  // namespace

void set_weights(std::span<const int8_t> weights, int64_t zero, ScaledChannel& channel) {
  channel.weight_sum = channel.low = channel.high = 0;
  for (int64_t w : weights) {
    channel.weight_sum += w;
    const int64_t a = w * (-128 - zero), b = w * (127 - zero);
    channel.low += std::min(a, b);
    channel.high += std::max(a, b);
  }
}

bool never_wraps(std::span<const int8_t> weights, int64_t pre_shift, int32_t factor, int32_t bias) {
  ScaledChannel channel;
  set_weights(weights, 0, channel);
  return std::ranges::all_of(std::initializer_list{channel.low, channel.high}, [&](int64_t sum) {
    return fits_int32(static_cast<double>(sum)) &&
           fits_int32(static_cast<double>(sum >> pre_shift) * factor + bias);
  });
}

std::optional<ScaledLayer> scaled_layer(const std::vector<ScaledChannel>& channels, int64_t zero,
                                        int64_t result_zero) {
  std::optional<ScaledLayer> best;
  double best_error = 0;
  for (int64_t pre_shift = 0; pre_shift <= kMaxPreShift; ++pre_shift) {
    const auto all_fit = [&](int64_t shift) {
      return std::ranges::all_of(channels, [&](const ScaledChannel& c) {
        return fits(c, pre_shift, shift, zero, result_zero);
      });
    };
    int64_t shift = kMaxShift;
    while (shift >= 0 && !all_fit(shift)) --shift;
    if (shift < 0) continue;
    double error = 0;
    for (const ScaledChannel& c : channels) error = std::max(error, error_of(c, pre_shift, shift));
    if (best && error >= best_error) continue;
    best = ScaledLayer{pre_shift, shift, {}, {}};
    best_error = error;
    if (error <= kSmallError) break;
  }
  if (!best || best_error > kLargestError) return std::nullopt;
  for (const ScaledChannel& c : channels) {
    const Requantized r(c, best->pre_shift, best->shift, zero, result_zero);
    best->factors.push_back(static_cast<int32_t>(r.factor));
    best->biases.push_back(static_cast<int32_t>(r.bias));
  }
  return best;
}

std::optional<ScaledSum> scaled_sum(double ratio_a, int64_t zero_a, double ratio_b, int64_t zero_b,
                                    int64_t result_zero) {
  constexpr double kMaxFactor = 32767;
  const auto factor = [](double ratio, int64_t shift) {
    return std::round(std::ldexp(ratio, static_cast<int>(shift)));
  };
  const double largest = std::max(ratio_a, ratio_b);
  int64_t shift = 22;  // result_zero << shift fits 32 bits
  while (shift >= 0 && factor(largest, shift) > kMaxFactor) --shift;
  if (shift < 0) return std::nullopt;
  const Operand a{ratio_a, zero_a, static_cast<int64_t>(factor(ratio_a, shift))};
  const Operand b{ratio_b, zero_b, static_cast<int64_t>(factor(ratio_b, shift))};
  if (error_of(a, b, shift) + error_of(b, a, shift) > kLargestError) return std::nullopt;
  ScaledSum sum;
  sum.shift = shift;
  sum.factor_a = a.factor;
  sum.factor_b = b.factor;
  sum.addend = result_zero * (int64_t{1} << shift) + half_of(shift) - zero_a * sum.factor_a -
               zero_b * sum.factor_b;
  return sum;
}

}  // namespace vta
