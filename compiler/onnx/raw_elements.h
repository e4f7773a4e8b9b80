// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_RAW_ELEMENTS_H_
#define VTA_COMPILER_ONNX_RAW_ELEMENTS_H_

#include <cstdint>
#include <span>

#include "compiler/onnx/array.h"

namespace vta::onnx {

// Decodes `count` little-endian elements of the array's type (two 4-bit elements per byte, low half
// first) and appends them. Errors: kCorrupt if there are too few bytes; kUnsupported for a uint64
// above the range of int64.
void decode_raw(std::span<const uint8_t> bytes, int64_t count, Array& array);

// The value of a float16 or bfloat16, given its bits.
float float_of_half_bits(uint16_t half_bits, ElementType type);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_RAW_ELEMENTS_H_
