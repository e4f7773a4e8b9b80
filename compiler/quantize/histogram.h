// SPDX-License-Identifier: Apache-2.0
//
// Histogram: counts of a tensor's magnitudes over many inputs, in bounded memory.
#ifndef VTA_COMPILER_QUANTIZE_HISTOGRAM_H_
#define VTA_COMPILER_QUANTIZE_HISTOGRAM_H_

#include <cstdint>
#include <span>
#include <vector>

namespace vta::quantize {

// 256 bins per octave in 48 octaves, about 100 KB: from 2^-24 to 2^24, lower or higher if the
// largest magnitude is below 2^-16 or above 2^24. A value's bin is the top bits of its float, so
// that counts are integers and do not depend on the order of the data.
class Histogram {
 public:
  void add(const Histogram& other);
  // Returns false and stops at the first value that is not finite.
  bool add(std::span<const float> values);

  double largest() const { return largest_; }  // max |x|

  // Sum of (x - q(x))^2 at `frac_bits` fractional bits.
  double squared_error(int frac_bits) const;

  // The number of fractional bits with the least squared error. A finer scale is taken only if it
  // lowers the error by 1/64, so that differences in the last bits of fp32 do not change the
  // choice.
  int best_frac_bits() const;

  // Kullback-Leibler divergence of the quantized distribution from the original at `frac_bits`
  // fractional bits, as in TensorRT's calibration (magnitudes above zero in 2048 bins, clipped ones
  // in the last bin). Infinite if more than 1/100 of the elements are clipped.
  double divergence(int frac_bits) const;
  // The number of fractional bits with the least divergence, with the margin of best_frac_bits().
  int least_divergent_frac_bits() const;

 private:
  void reach(float largest);
  std::vector<double> linear_counts(int frac_bits, size_t num_bins) const;

  std::vector<uint64_t> counts_;
  uint32_t first_bin_ = 256;  // of counts_[0], in top bits of floats: 2^-126
  float largest_ = 0;
};

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_HISTOGRAM_H_
