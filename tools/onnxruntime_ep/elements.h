// SPDX-License-Identifier: Apache-2.0
//
// The numbers of ONNX Runtime's tensors and of libvta's. int8 and uint8 are float32 there, exactly;
// int8 is int8 where it is quantized.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_ELEMENTS_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_ELEMENTS_H_

#include <cstddef>
#include <cstdint>

#include "tools/c_api/vta.h"
#include "tools/onnxruntime_ep/api.h"

namespace vta::onnxruntime_ep {

// Whether libvta uses the tensor's memory as it is.
bool is_direct(ONNXTensorElementDataType type, int32_t dtype);

// Whether it is a float32 value with integers of this type.
bool is_converted(ONNXTensorElementDataType type, int32_t dtype);

size_t bytes_per_elem(int32_t dtype);                   // of a vta_dtype
size_t bytes_per_elem(ONNXTensorElementDataType type);  // of direct and converted ones

// For types that are converted.
void to_float(ONNXTensorElementDataType type, const uint8_t* from, size_t num_elems, float* to);
void from_float(ONNXTensorElementDataType type, const float* from, size_t num_elems, uint8_t* to);

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_ELEMENTS_H_
