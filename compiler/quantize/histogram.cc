// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "compiler/quantize/power_of_two.h"

namespace vta::quantize {
namespace {

constexpr int kMantissaBits = 8;
constexpr int kShift = 23 - kMantissaBits;
constexpr int kExponentBias = 127;
constexpr uint32_t kFirstBin = static_cast<uint32_t>(kExponentBias + kMinFracBits) << kMantissaBits;
constexpr uint32_t kNumBins = static_cast<uint32_t>(kMaxFracBits - kMinFracBits) << kMantissaBits;
constexpr double kMargin = 1.0 / 64;

double bin_centre(uint32_t bin) {
  const float low = std::bit_cast<float>((kFirstBin + bin) << kShift);
  const float high = std::bit_cast<float>((kFirstBin + bin + 1) << kShift);
  return (double{low} + high) / 2;
}

}  // namespace

bool Histogram::add(std::span<const float> values) {
  counts_.resize(kNumBins);
  for (float x : values) {
    const float magnitude = std::abs(x);
    if (!(magnitude <= std::numeric_limits<float>::max())) return false;
    largest_ = std::max(largest_, magnitude);
    const uint32_t code = std::bit_cast<uint32_t>(magnitude) >> kShift;
    if (code < kFirstBin)
      continue;  // quantizes to zero everywhere: the same error for every choice
    ++counts_[std::min(code - kFirstBin, kNumBins - 1)];
  }
  return true;
}

double Histogram::squared_error(int frac_bits) const {
  double sum = 0;
  for (uint32_t bin = 0; bin < counts_.size(); ++bin) {
    if (counts_[bin] == 0) continue;
    const double x = bin_centre(bin);
    const double error = x - std::ldexp(quantized(x, frac_bits), -frac_bits);
    sum += static_cast<double>(counts_[bin]) * error * error;
  }
  return sum;
}

int Histogram::best_frac_bits() const {
  const int coarsest = frac_bits_without_clipping(largest_);
  int best = coarsest;
  double least = squared_error(coarsest);
  for (int frac_bits = coarsest + 1; frac_bits <= coarsest + kMaxFinerBits; ++frac_bits) {
    const double error = squared_error(frac_bits);
    if (error >= least * (1 - kMargin)) break;
    least = error;
    best = frac_bits;
  }
  return best;
}

}  // namespace vta::quantize
