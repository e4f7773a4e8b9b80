// SPDX-License-Identifier: Apache-2.0
//
// Tensor: a dense, row-major array in host memory.
#ifndef VTA_RUNTIME_TENSOR_TENSOR_H_
#define VTA_RUNTIME_TENSOR_TENSOR_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace vta {

enum class DType { kFloat32, kInt8, kInt32 };
const char* to_string(DType dtype);                // "float32", "int8", "int32"
DType dtype_from_string(const std::string& text);  // Errors: kInvalidArgument
size_t size_bytes(DType dtype);

struct TensorType {
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape;  // images are [n, c, h, w]
  // Bit i: axis i is open. Its size in `shape` is an upper bound; a run gives the exact size, which
  // may be 0. Only types in graphs and programs have open axes, tensors have none.
  uint8_t open_axes = 0;

  bool is_open() const { return open_axes != 0; }
  bool is_open(size_t axis) const { return (open_axes >> axis & 1) != 0; }
  size_t first_open_axis() const;               // of a type with open axes
  std::vector<int64_t> open_axis_list() const;  // in order
  int64_t num_elems() const;
  size_t num_bytes() const { return static_cast<size_t>(num_elems()) * size_bytes(dtype); }
  bool operator==(const TensorType&) const = default;
};
std::string to_string(const TensorType& type);  // "int8[1, 64, 56, 56]", "int32[<=100, 3]" if open

// Whether a tensor of this type may be a value of type `type`: open axes have at most their bound.
bool fits(const TensorType& tensor, const TensorType& type);

template <typename T>
constexpr DType dtype_of();
template <>
constexpr DType dtype_of<float>() {
  return DType::kFloat32;
}
template <>
constexpr DType dtype_of<int8_t>() {
  return DType::kInt8;
}
template <>
constexpr DType dtype_of<int32_t>() {
  return DType::kInt32;
}

// Value semantics with copy-on-write: copies share the bytes until one of them is written.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(TensorType type);  // zeros
  template <typename T>
  Tensor(std::vector<int64_t> shape, const std::vector<T>& values)
      : Tensor(TensorType{dtype_of<T>(), std::move(shape)}) {
    VTA_ASSERT(static_cast<int64_t>(values.size()) == type_.num_elems(),
               "the number of values matches the shape");
    std::copy(values.begin(), values.end(), mutable_data<T>().begin());
  }

  const TensorType& type() const { return type_; }
  DType dtype() const { return type_.dtype; }
  const std::vector<int64_t>& shape() const { return type_.shape; }
  int64_t dim(size_t axis) const { return type_.shape.at(axis); }
  int64_t num_elems() const { return type_.num_elems(); }
  bool empty() const { return storage_ == nullptr; }

  std::span<const uint8_t> bytes() const { return {storage_.get(), type_.num_bytes()}; }
  std::span<uint8_t> mutable_bytes();

  // Asserts that T is the tensor's element type.
  template <typename T>
  std::span<const T> data() const {
    VTA_ASSERT(dtype_of<T>() == type_.dtype, "element type of the tensor");
    return {reinterpret_cast<const T*>(storage_.get()), static_cast<size_t>(num_elems())};
  }
  template <typename T>
  std::span<T> mutable_data() {
    VTA_ASSERT(dtype_of<T>() == type_.dtype, "element type of the tensor");
    return {reinterpret_cast<T*>(mutable_bytes().data()), static_cast<size_t>(num_elems())};
  }

  // The same bytes with another shape of the same number of elements.
  Tensor reshaped(std::vector<int64_t> shape) const;

 private:
  TensorType type_;
  std::shared_ptr<uint8_t[]> storage_;  // 64-byte aligned
};

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_TENSOR_H_
