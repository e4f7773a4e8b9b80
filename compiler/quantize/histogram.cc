// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "compiler/quantize/power_of_two.h"

namespace vta::quantize {
namespace {

constexpr int kMantissaBits = 8;
constexpr int kShift = 23 - kMantissaBits;
constexpr int kExponentBias = 127;
constexpr int kNumOctaves = 48, kUsualOctave = -24, kMinOctave = -126;
constexpr int kOctavesBelow = 8;  // the largest; smaller numbers are less than half a level
constexpr uint32_t kNumBins = static_cast<uint32_t>(kNumOctaves) << kMantissaBits;
constexpr double kMargin = 1.0 / 64;

double bin_centre(uint32_t code) {
  const double low = std::bit_cast<float>(code << kShift);
  int exponent = 0;
  std::frexp(low, &exponent);
  return low + std::ldexp(1.0, exponent - kMantissaBits - 2);
}

// The first bin of a tensor with this largest magnitude: higher for larger ones.
uint32_t first_bin_for(float largest) {
  const int octave = std::max(largest == 0 ? kMinOctave : std::ilogb(largest), kMinOctave);
  const int first = std::max(std::min(octave - kOctavesBelow, kUsualOctave), kMinOctave);
  return static_cast<uint32_t>(kExponentBias + std::max(first, octave - kNumOctaves + 1))
         << kMantissaBits;
}

constexpr double kMaxClippedShare =
    0.01;                            // of all elements; beyond it the divergence is meaningless
constexpr size_t kLevels = 128;      // of magnitudes
constexpr size_t kBinsInAll = 2048;  // up to the limit of the coarsest scale

// The best number of fractional bits from `coarsest` to `coarsest` + kMaxFinerBits.
template <typename Cost>
int best_of(double largest, Cost&& cost) {
  const int coarsest = frac_bits_without_clipping(largest);
  int best = coarsest;
  double least = cost(coarsest);
  for (int frac_bits = coarsest + 1; frac_bits <= coarsest + kMaxFinerBits; ++frac_bits) {
    const double error = cost(frac_bits);
    if (error >= least * (1 - kMargin)) continue;
    least = error;
    best = frac_bits;
  }
  return best;
}

// `counts` reduced to kLevels levels: each level's count is spread evenly over its nonempty bins.
std::vector<double> quantized_counts(const std::vector<double>& counts) {
  const size_t width = counts.size() / kLevels;
  std::vector<double> result(counts.size());
  for (size_t level = 0; level < kLevels; ++level) {
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(level * width);
    const auto last = first + static_cast<std::ptrdiff_t>(width);
    const double sum = std::accumulate(first, last, 0.0);
    const auto empty = std::count(first, last, 0.0);
    for (size_t i = level * width; i < (level + 1) * width; ++i) {
      if (counts[i] > 0) result[i] = sum / static_cast<double>(static_cast<int64_t>(width) - empty);
    }
  }
  return result;
}

}  // namespace

// Drops bins below those of the new largest magnitude, so that the counts do not depend on the
// order of the data.
void Histogram::reach(float largest) {
  counts_.resize(kNumBins);
  largest_ = std::max(largest_, largest);
  const uint32_t first = first_bin_for(largest_), moved = std::min(first - first_bin_, kNumBins);
  std::shift_left(counts_.begin(), counts_.end(), moved);
  std::fill(counts_.end() - moved, counts_.end(), 0);
  first_bin_ = first;
}

void Histogram::add(const Histogram& other) {
  reach(other.largest_);
  for (uint32_t bin = first_bin_ - other.first_bin_; bin < other.counts_.size(); ++bin)
    counts_[bin + other.first_bin_ - first_bin_] += other.counts_[bin];
}

bool Histogram::add(std::span<const float> values) {
  float largest = 0;
  for (float x : values) {
    const float magnitude = std::abs(x);
    if (!(magnitude <= std::numeric_limits<float>::max())) return false;
    largest = std::max(largest, magnitude);
  }
  reach(largest);
  for (float x : values) {
    const uint32_t code = std::bit_cast<uint32_t>(std::abs(x)) >> kShift;
    // Smaller ones quantize to zero everywhere: the same error for every choice.
    if (code >= first_bin_) ++counts_[code - first_bin_];
  }
  return true;
}

double Histogram::squared_error(int frac_bits) const {
  double sum = 0;
  for (uint32_t bin = 0; bin < counts_.size(); ++bin) {
    if (counts_[bin] == 0) continue;
    const double x = bin_centre(first_bin_ + bin);
    const double error = x - std::ldexp(quantized(x, frac_bits), -frac_bits);
    sum += static_cast<double>(counts_[bin]) * error * error;
  }
  return sum;
}

int Histogram::best_frac_bits() const {
  return best_of(largest_, [&](int frac_bits) { return squared_error(frac_bits); });
}

// Counts of magnitudes up to 128 * 2^-frac_bits in bins of equal width; larger ones are left out.
std::vector<double> Histogram::linear_counts(int frac_bits, size_t num_bins) const {
  std::vector<double> linear(num_bins);
  const double bins_a_unit = std::ldexp(static_cast<double>(num_bins) / kLevels, frac_bits);
  for (uint32_t bin = 0; bin < counts_.size(); ++bin) {
    const auto index = static_cast<size_t>(bin_centre(first_bin_ + bin) * bins_a_unit);
    if (counts_[bin] > 0 && index < num_bins) linear[index] += static_cast<double>(counts_[bin]);
  }
  return linear;
}

double Histogram::divergence(int frac_bits) const {
  const int finer = frac_bits - frac_bits_without_clipping(largest_);
  const std::vector<double> kept =
      linear_counts(frac_bits, std::max(kBinsInAll >> std::max(finer, 0), kLevels));
  double all = 0;
  for (uint64_t count : counts_) all += static_cast<double>(count);
  if (all == 0) return 0;
  const double inside = std::accumulate(kept.begin(), kept.end(), 0.0);
  if (all - inside > kMaxClippedShare * all) return std::numeric_limits<double>::infinity();
  std::vector<double> reference = kept;
  reference.back() += all - inside;
  const std::vector<double> result = quantized_counts(kept);
  double sum = 0;
  for (size_t i = 0; i < kept.size(); ++i) {
    if (reference[i] == 0) continue;
    // A clipped mass without a counterpart counts as one element of the result.
    const double p = reference[i] / all, q = std::max(result[i], 1.0) / inside;
    sum += p * std::log(p / q);
  }
  return std::max(sum, 0.0);
}

int Histogram::least_divergent_frac_bits() const {
  return best_of(largest_, [&](int frac_bits) { return divergence(frac_bits); });
}

}  // namespace vta::quantize
