// SPDX-License-Identifier: Apache-2.0
//
// Tensors with random values.
#ifndef VTA_TESTS_UNIT_RUNTIME_HOST_RANDOM_TENSOR_H_
#define VTA_TESTS_UNIT_RUNTIME_HOST_RANDOM_TENSOR_H_

#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "runtime/tensor/tensor.h"

namespace vta::test {

inline Tensor random_int8(Random& random, std::vector<int64_t> shape, int64_t low = -128,
                          int64_t high = 127) {
  Tensor tensor(TensorType{DType::kInt8, std::move(shape)});
  for (int8_t& x : tensor.mutable_data<int8_t>())
    x = static_cast<int8_t>(random.between(low, high));
  return tensor;
}

inline Tensor random_int32(Random& random, std::vector<int64_t> shape, int64_t low, int64_t high) {
  Tensor tensor(TensorType{DType::kInt32, std::move(shape)});
  for (int32_t& x : tensor.mutable_data<int32_t>())
    x = static_cast<int32_t>(random.between(low, high));
  return tensor;
}

inline Tensor random_float(Random& random, std::vector<int64_t> shape) {
  Tensor tensor(TensorType{DType::kFloat32, std::move(shape)});
  for (float& x : tensor.mutable_data<float>()) x = static_cast<float>(random.normal());
  return tensor;
}

}  // namespace vta::test

#endif  // VTA_TESTS_UNIT_RUNTIME_HOST_RANDOM_TENSOR_H_
