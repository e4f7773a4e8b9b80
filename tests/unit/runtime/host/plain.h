// SPDX-License-Identifier: Apache-2.0
//
// Runs operators on tensors that are written as lists.
#ifndef VTA_TESTS_UNIT_RUNTIME_HOST_PLAIN_H_
#define VTA_TESTS_UNIT_RUNTIME_HOST_PLAIN_H_

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "runtime/host/host_operators.h"

namespace vta::test {

inline Tensor floats(std::vector<int64_t> shape, const std::vector<float>& values) {
  return Tensor(std::move(shape), values);
}
inline Tensor bytes(std::vector<int64_t> shape, const std::vector<int8_t>& values) {
  return Tensor(std::move(shape), values);
}

// 0, 1, 2, ...
template <typename T>
Tensor counted(std::vector<int64_t> shape) {
  Tensor tensor(TensorType{dtype_of<T>(), std::move(shape)});
  T next = 0;
  for (T& value : tensor.mutable_data<T>()) value = next++;
  return tensor;
}

inline Tensor run(OpKind kind, const std::string& attrs, const std::vector<Tensor>& inputs) {
  return host::execute(kind, attrs_from_string(kind, attrs), inputs);
}

template <typename T>
std::vector<T> values(const Tensor& tensor) {
  return {tensor.data<T>().begin(), tensor.data<T>().end()};
}

inline void expect_near(const Tensor& actual, const std::vector<double>& expected,
                        double tolerance = 1e-5) {
  const auto found = actual.data<float>();
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << "element " << i;
  }
}

}  // namespace vta::test

#endif  // VTA_TESTS_UNIT_RUNTIME_HOST_PLAIN_H_
