// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/tensor.h"

#include <bit>
#include <cstdlib>
#include <cstring>

#include "base/limits/memory_limit.h"

namespace vta {
namespace {

constexpr size_t kAlignment = 64;
// One spare vector register at the end lets vector loops read past the last element.
constexpr size_t kSpareBytes = 64;

// `allocate` is malloc or calloc, which knows pages that are zero already.
// Errors: kOutOfMemory, naming the type, above the limit of the process.
template <class Allocate>
std::shared_ptr<uint8_t[]> allocate(const TensorType& type, const Allocate& allocate) {
  const size_t size = type.num_bytes() + kSpareBytes;
  charge_memory("a tensor " + to_string(type), size);
  void* const block = allocate(size + kAlignment);
  if (block == nullptr) {
    release_memory(size);
    fail(ErrorCode::kOutOfMemory, "a tensor {}: the machine has no {} bytes left", to_string(type),
         size);
  }
  const size_t before = kAlignment - reinterpret_cast<uintptr_t>(block) % kAlignment;
  return {static_cast<uint8_t*>(block) + before, [block, size](const uint8_t*) {
            std::free(block);
            release_memory(size);
          }};
}

std::shared_ptr<uint8_t[]> allocate_zeroed(const TensorType& type) {
  return allocate(type, [](size_t size) { return std::calloc(size, 1); });
}

std::shared_ptr<uint8_t[]> copy_of(const uint8_t* bytes, const TensorType& type) {
  std::shared_ptr<uint8_t[]> copy = allocate(type, [](size_t size) { return std::malloc(size); });
  std::memcpy(copy.get(), bytes, type.num_bytes() + kSpareBytes);
  return copy;
}

}  // namespace

const char* to_string(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return "float32";
    case DType::kInt8:
      return "int8";
    case DType::kInt32:
      return "int32";
  }
  return "?";
}

DType dtype_from_string(const std::string& text) {
  for (DType dtype : {DType::kFloat32, DType::kInt8, DType::kInt32}) {
    if (text == to_string(dtype)) return dtype;
  }
  fail(ErrorCode::kInvalidArgument, "element type '{}' is not one of float32, int8, int32", text);
}

size_t size_bytes(DType dtype) { return dtype == DType::kInt8 ? 1 : 4; }

int64_t TensorType::num_elems() const {
  int64_t count = 1;
  for (int64_t dim : shape) count *= dim;
  return count;
}

size_t TensorType::first_open_axis() const {
  VTA_ASSERT(is_open(), "a type with open axes");
  return static_cast<size_t>(std::countr_zero(open_axes));
}

std::vector<int64_t> TensorType::open_axis_list() const {
  std::vector<int64_t> axes;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (is_open(axis)) axes.push_back(static_cast<int64_t>(axis));
  }
  return axes;
}

std::string to_string(const TensorType& type) {
  if (!type.is_open())
    return fmt::format("{}[{}]", to_string(type.dtype), fmt::join(type.shape, ", "));
  std::vector<std::string> sizes;
  for (size_t axis = 0; axis < type.shape.size(); ++axis)
    sizes.push_back(fmt::format("{}{}", type.is_open(axis) ? "<=" : "", type.shape[axis]));
  return fmt::format("{}[{}]", to_string(type.dtype), fmt::join(sizes, ", "));
}

bool fits(const TensorType& tensor, const TensorType& type) {
  if (!type.is_open()) return tensor == type;
  if (tensor.is_open() || tensor.dtype != type.dtype || tensor.shape.size() != type.shape.size())
    return false;
  for (size_t axis = 0; axis < type.shape.size(); ++axis) {
    const int64_t size = tensor.shape[axis], stated = type.shape[axis];
    if (type.is_open(axis) ? size > stated : size != stated) return false;
  }
  return true;
}

Tensor::Tensor(TensorType type) : type_(std::move(type)), storage_(allocate_zeroed(type_)) {}

std::span<uint8_t> Tensor::mutable_bytes() {
  if (storage_ != nullptr && storage_.use_count() > 1) {
    storage_ = copy_of(storage_.get(), type_);
  }
  return {storage_.get(), type_.num_bytes()};
}

Tensor Tensor::reshaped(std::vector<int64_t> shape) const {
  Tensor result = *this;
  result.type_.shape = std::move(shape);
  VTA_ASSERT(result.num_elems() == num_elems(), "the new shape has the same number of elements");
  return result;
}

}  // namespace vta
