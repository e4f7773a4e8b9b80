// SPDX-License-Identifier: Apache-2.0
//
// The element types of ONNX tensors, numbered as its TensorProto numbers them.
#ifndef VTA_COMPILER_ONNX_ELEMENT_TYPE_H_
#define VTA_COMPILER_ONNX_ELEMENT_TYPE_H_

#include <cstdint>
#include <string>

namespace vta::onnx {

enum class ElementType : int {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kBfloat16 = 16,
  kUint4 = 21,
  kInt4 = 22,
};

// "float", "uint8", ... as ONNX writes them; also for numbers that the enumeration leaves out
// ("string", "float8e4m3fn"), "type 99" for what ONNX does not have.
std::string to_string(ElementType type);

// One of the enumeration's values but kUndefined: what constants and values may hold.
bool is_readable(ElementType type);

bool is_floating(ElementType type);

// Integers whose every value is exact in float32 and in int32: of at most 16 bits, and bool.
bool is_small_integer(ElementType type);

// Bits of an element in raw_data.
int bits(ElementType type);

// The range of an integer type; of 64 bits that of int64.
int64_t lowest(ElementType type);
int64_t highest(ElementType type);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_ELEMENT_TYPE_H_
