// SPDX-License-Identifier: Apache-2.0
//
// The element types of ONNX tensors, with the numbers of TensorProto.DataType.
#ifndef VTA_COMPILER_ONNX_ELEMENT_TYPE_H_
#define VTA_COMPILER_ONNX_ELEMENT_TYPE_H_

#include <cstdint>
#include <string>

#include "runtime/tensor/op.h"

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

// ONNX's name, "float", "uint8", ...; also of types that the enumeration does not have ("string",
// "float8e4m3fn"), and "type 99" for an unknown number.
std::string to_string(ElementType type);

// A value of the enumeration except kUndefined: the types of constants and values.
bool is_readable(ElementType type);

bool is_floating(ElementType type);

// Integers of at most 16 bits, and bool: all their values are exact in float32 and in int32.
bool is_small_integer(ElementType type);

// The size of an element in raw_data, in bits.
int bits(ElementType type);

// The range of an integer type; for 64 bits always that of int64.
int64_t lowest(ElementType type);
int64_t highest(ElementType type);

// The format of numbers of the type in the graph, for `cast`. Asserts that the type is readable.
Format format_of(ElementType type);

// The level of 0 of a type of 8 bits, which the graph holds as int8: -128 for uint8.
inline int64_t zero_level(ElementType type) { return type == ElementType::kUint8 ? -128 : 0; }

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_ELEMENT_TYPE_H_
