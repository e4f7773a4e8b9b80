// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/tensor.h"

#include <gtest/gtest.h>

namespace vta {
namespace {

TEST(Tensor, StartsAsZerosOnACacheLine) {
  const Tensor tensor({DType::kInt32, {3, 5}});
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.bytes().data()) % 64, 0u);
  for (int32_t value : tensor.data<int32_t>()) EXPECT_EQ(value, 0);
}

TEST(Tensor, CopiesShareBytesUntilOneIsWritten) {
  Tensor first({2}, std::vector<float>{1, 2});
  const Tensor second = first;
  EXPECT_EQ(first.bytes().data(), second.bytes().data());
  first.mutable_data<float>()[0] = 7;
  EXPECT_EQ(second.data<float>()[0], 1);
  EXPECT_EQ(first.data<float>()[0], 7);
}

TEST(Tensor, KeepsItsBytesUnderAnotherShape) {
  const Tensor tensor({2, 3}, std::vector<int8_t>{1, 2, 3, 4, 5, 6});
  const Tensor reshaped = tensor.reshaped({3, 2});
  EXPECT_EQ(reshaped.shape(), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(reshaped.data<int8_t>()[5], 6);
}

TEST(Tensor, AssertsTheElementType) {
  const Tensor tensor({DType::kInt8, {1}});
  EXPECT_THROW(tensor.data<float>(), std::logic_error);
}

TEST(TensorType, HasATextForm) {
  EXPECT_EQ(to_string(TensorType{DType::kInt8, {1, 64, 56, 56}}), "int8[1, 64, 56, 56]");
  EXPECT_EQ(dtype_from_string("int32"), DType::kInt32);
  EXPECT_THROW(dtype_from_string("int16"), Error);
}

}  // namespace
}  // namespace vta
