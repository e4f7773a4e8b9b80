// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/elements.h"

#include <algorithm>

#include "base/errors/error.h"

namespace vta::onnxruntime_ep {
namespace {

// Calls `action` with a number of the type.
template <typename Action>
void with_type(ONNXTensorElementDataType type, Action&& action) {
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8:
      return action(int8_t{});
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
      return action(uint8_t{});
    default:
      VTA_ASSERT(false, "a type that is neither direct nor converted");
  }
}

}  // namespace

bool is_direct(ONNXTensorElementDataType type, int32_t dtype) {
  return (type == ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT && dtype == VTA_FLOAT32) ||
         (type == ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 && dtype == VTA_INT32) ||
         (type == ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 && dtype == VTA_INT8);
}

bool is_converted(ONNXTensorElementDataType type, int32_t dtype) {
  return dtype == VTA_FLOAT32 && (type == ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 ||
                                  type == ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8);
}

size_t bytes_per_elem(int32_t dtype) { return dtype == VTA_INT8 ? 1 : 4; }

size_t bytes_per_elem(ONNXTensorElementDataType type) {
  if (is_direct(type, VTA_FLOAT32) || is_direct(type, VTA_INT32)) return 4;
  size_t num_bytes = 0;
  with_type(type, [&](auto number) { num_bytes = sizeof(number); });
  return num_bytes;
}

void to_float(ONNXTensorElementDataType type, const uint8_t* from, size_t num_elems, float* to) {
  with_type(type, [&]<typename T>(T) {
    std::transform(reinterpret_cast<const T*>(from), reinterpret_cast<const T*>(from) + num_elems,
                   to, [](T number) { return static_cast<float>(number); });
  });
}

void from_float(ONNXTensorElementDataType type, const float* from, size_t num_elems, uint8_t* to) {
  with_type(type, [&]<typename T>(T) {
    std::transform(from, from + num_elems, reinterpret_cast<T*>(to),
                   [](float number) { return static_cast<T>(number); });
  });
}

}  // namespace vta::onnxruntime_ep
