// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/moments.h"

#include <algorithm>

#include "runtime/host/host_operators.h"

namespace vta::quantize {
namespace {

// The sum of this many products of int8 is below 2^24, hence exact in float in any order.
constexpr int64_t kChunkWindows = 1024;
constexpr int64_t kMaxWindows = 1 << 17;
constexpr double kMinRidge = 1e-3;

}  // namespace

Moments::Moments(int64_t size)
    : size_(size), sums_(static_cast<size_t>(size)), products_(static_cast<size_t>(size * size)) {}

void Moments::add(const std::vector<int8_t>& windows, int64_t stride, int64_t first) {
  const int64_t count = static_cast<int64_t>(windows.size()) / stride;
  VTA_ASSERT(count_ + count <= kMaxWindows, "sums of products fit 32 bits");
  for (int64_t begin = 0; begin < count; begin += kChunkWindows) {
    const int64_t chunk = std::min(kChunkWindows, count - begin);
    Tensor transposed(TensorType{DType::kFloat32, {size_, chunk}});
    const auto x = transposed.mutable_data<float>();
    for (int64_t w = 0; w < chunk; ++w) {
      const int8_t* window = windows.data() + (begin + w) * stride + first;
      for (int64_t i = 0; i < size_; ++i) {
        x[i * chunk + w] = window[i];
        sums_[i] += window[i];
      }
    }
    const Tensor products = host::execute(OpKind::kDense, {}, {transposed, transposed});
    const auto p = products.data<float>();
    for (size_t i = 0; i < p.size(); ++i) products_[i] += static_cast<int32_t>(p[i]);
  }
  count_ += count;
}

std::vector<float> Moments::covariance(double ridge) const {
  const auto n = static_cast<double>(std::max<int64_t>(count_, 1));
  std::vector<double> means;
  for (int32_t sum : sums_) means.push_back(sum / n);
  return about(means, ridge);
}

std::vector<float> Moments::about(int64_t zero, double ridge) const {
  return about(std::vector<double>(sums_.size(), static_cast<double>(zero)), ridge);
}

std::vector<float> Moments::about(const std::vector<double>& centers, double ridge) const {
  const auto n = static_cast<double>(std::max<int64_t>(count_, 1));
  std::vector<float> result(products_.size());
  double diagonal = 0;
  for (int64_t i = 0; i < size_; ++i) {
    for (int64_t j = 0; j < size_; ++j) {
      const double value = products_[i * size_ + j] / n - centers[i] * (sums_[j] / n) -
                           centers[j] * (sums_[i] / n) + centers[i] * centers[j];
      result[i * size_ + j] = static_cast<float>(value);
      if (i == j) diagonal += value;
    }
  }
  const double added = std::max(ridge * diagonal / static_cast<double>(size_), kMinRidge);
  for (int64_t i = 0; i < size_; ++i) {
    float& own = result[i * size_ + i];
    own = static_cast<float>(own + added);
  }
  return result;
}

}  // namespace vta::quantize
