// SPDX-License-Identifier: Apache-2.0
//
// Moments: how the elements of a layer's input windows vary together.
#ifndef VTA_COMPILER_QUANTIZE_MOMENTS_H_
#define VTA_COMPILER_QUANTIZE_MOMENTS_H_

#include <cstdint>
#include <vector>

namespace vta::quantize {

// Of windows of `size` int8 elements. All sums are exact integers, so that the same windows give
// the same bits on every machine.
class Moments {
 public:
  explicit Moments(int64_t size);

  // `windows`: [count][stride] elements, of which those from `first` on are this object's. At most
  // 2^17 windows in all.
  void add(const std::vector<int8_t>& windows, int64_t stride, int64_t first);

  // [size][size]: mean of (x_i - mean_i)(x_j - mean_j), with `ridge` times the mean of the diagonal
  // (and never less than a little) added to the diagonal: elements that hardly vary in the samples
  // may do so elsewhere.
  std::vector<float> covariance(double ridge) const;

 private:
  const int64_t size_;
  int64_t count_ = 0;
  std::vector<int32_t> sums_, products_;
};

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_MOMENTS_H_
