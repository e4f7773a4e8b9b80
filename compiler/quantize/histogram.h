// SPDX-License-Identifier: Apache-2.0
//
// Histogram: how often each magnitude occurs in a tensor, over many inputs, in bounded memory.
#ifndef VTA_COMPILER_QUANTIZE_HISTOGRAM_H_
#define VTA_COMPILER_QUANTIZE_HISTOGRAM_H_

#include <cstdint>
#include <span>
#include <vector>

namespace vta::quantize {

// 256 bins an octave, from 2^-24 to 2^24; the bin of a value is the top bits of its
// float, so counts are integers that do not depend on the order of the data. About 100 KB.
class Histogram {
 public:
  void add(const Histogram& other);
  // Returns false at the first number that is not finite.
  bool add(std::span<const float> values);

  double largest() const { return largest_; }  // max |x|

  // The sum of (x - q(x))^2 at that many fractional bits.
  double squared_error(int frac_bits) const;

  // The number of fractional bits with the least squared error; a finer scale must be better by
  // 1/64 of the error, so that differences in the last bits of fp32 do not move the choice.
  int best_frac_bits() const;

  // The information that quantization at that many fractional bits loses: the Kullback-Leibler
  // divergence of the quantized distribution from the original, as TensorRT's calibration counts
  // it (magnitudes above zero in 2048 bins, what is clipped in the last one). Infinite where more
  // than a hundredth of the elements is clipped.
  double divergence(int frac_bits) const;
  // The number of fractional bits with the least divergence, with the same margin.
  int least_divergent_frac_bits() const;

 private:
  std::vector<double> linear_counts(int frac_bits, size_t num_bins) const;

  std::vector<uint64_t> counts_;
  float largest_ = 0;
};

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_HISTOGRAM_H_
