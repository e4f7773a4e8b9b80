// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_RAW_ELEMENTS_H_
#define VTA_COMPILER_ONNX_RAW_ELEMENTS_H_

#include <cstdint>
#include <span>

#include "compiler/onnx/array.h"

namespace vta::onnx {

// Appends `count` elements of the array's type, little endian (two of 4 bits a byte, the low half
// first), to its values. Errors: kCorrupt if the bytes are too few for them; kUnsupported for a
// uint64 above the range of int64.
void decode_raw(std::span<const uint8_t> bytes, int64_t count, Array& array);

// The value of a float16's or bfloat16's bits.
float float_of_half_bits(uint16_t half_bits, ElementType type);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_RAW_ELEMENTS_H_
