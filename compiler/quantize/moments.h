// SPDX-License-Identifier: Apache-2.0
//
// Moments: covariance of the elements of a layer's input windows.
#ifndef VTA_COMPILER_QUANTIZE_MOMENTS_H_
#define VTA_COMPILER_QUANTIZE_MOMENTS_H_

#include <cstdint>
#include <vector>

namespace vta::quantize {

// Sums over windows of `size` int8 elements: exact integers, so that the same windows give the same
// bits on every machine.
class Moments {
 public:
  explicit Moments(int64_t size);

  // Adds elements [first, first + size) of each window of `windows` [count][stride]. At most 2^17
  // windows in total.
  void add(const std::vector<int8_t>& windows, int64_t stride, int64_t first);

  // [size][size]: mean of (x_i - mean_i)(x_j - mean_j). `ridge` times the mean of the diagonal, at
  // least kMinRidge, is added to the diagonal: elements that are nearly constant in the samples may
  // vary in other inputs.
  std::vector<float> covariance(double ridge) const;
  // The same about `zero` instead of the means: of (x_i - zero)(x_j - zero).
  std::vector<float> about(int64_t zero, double ridge) const;

 private:
  std::vector<float> about(const std::vector<double>& centers, double ridge) const;

  const int64_t size_;
  int64_t count_ = 0;
  std::vector<int32_t> sums_, products_;
};

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_MOMENTS_H_
