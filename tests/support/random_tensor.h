// SPDX-License-Identifier: Apache-2.0
//
// Tensors with random values.
#ifndef VTA_TESTS_SUPPORT_RANDOM_TENSOR_H_
#define VTA_TESTS_SUPPORT_RANDOM_TENSOR_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "runtime/tensor/tensor.h"

namespace vta::test {

// Integers from `low` to `high`.
template <typename T>
Tensor random_tensor(Random& random, std::vector<int64_t> shape, int64_t low, int64_t high) {
  Tensor tensor(TensorType{dtype_of<T>(), std::move(shape)});
  for (T& value : tensor.mutable_data<T>()) value = static_cast<T>(random.between(low, high));
  return tensor;
}

inline Tensor random_int8(Random& random, std::vector<int64_t> shape) {
  return random_tensor<int8_t>(random, std::move(shape), -128, 127);
}

// Normally distributed.
inline Tensor random_float(Random& random, std::vector<int64_t> shape) {
  Tensor tensor(TensorType{DType::kFloat32, std::move(shape)});
  for (float& x : tensor.mutable_data<float>()) x = static_cast<float>(random.normal());
  return tensor;
}

}  // namespace vta::test

#endif  // VTA_TESTS_SUPPORT_RANDOM_TENSOR_H_
