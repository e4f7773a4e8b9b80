// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/element_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace vta::onnx {
namespace {

// By number; TensorProto.DataType of ONNX 1.22.
constexpr const char* kNames[] = {
    "undefined",      "float",    "uint8",        "int8",           "uint16",
    "int16",          "int32",    "int64",        "string",         "bool",
    "float16",        "double",   "uint32",       "uint64",         "complex64",
    "complex128",     "bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2",
    "float8e5m2fnuz", "uint4",    "int4",         "float4e2m1",     "float8e8m0",
    "uint2",          "int2"};

struct Readable {
  ElementType type;
  int bits;
  bool is_signed;
  Format format;
};

constexpr Readable kReadable[] = {
    {ElementType::kFloat, 32, true, Format::kFloat32},
    {ElementType::kUint8, 8, false, Format::kUint8},
    {ElementType::kInt8, 8, true, Format::kInt8},
    {ElementType::kUint16, 16, false, Format::kUint16},
    {ElementType::kInt16, 16, true, Format::kInt16},
    {ElementType::kInt32, 32, true, Format::kInt32},
    {ElementType::kInt64, 64, true, Format::kInt32},
    {ElementType::kBool, 8, false, Format::kBool},
    {ElementType::kFloat16, 16, true, Format::kFloat16},
    {ElementType::kDouble, 64, true, Format::kFloat32},
    {ElementType::kUint32, 32, false, Format::kUint31},
    {ElementType::kUint64, 64, false, Format::kUint31},
    {ElementType::kBfloat16, 16, true, Format::kBfloat16},
    {ElementType::kUint4, 4, false, Format::kUint4},
    {ElementType::kInt4, 4, true, Format::kInt4},
};

const Readable* find(ElementType type) {
  const auto* found = std::find_if(std::begin(kReadable), std::end(kReadable),
                                   [&](const Readable& entry) { return entry.type == type; });
  return found == std::end(kReadable) ? nullptr : found;
}

}  // namespace

std::string to_string(ElementType type) {
  const auto number = static_cast<int>(type);
  if (number >= 0 && number < static_cast<int>(std::size(kNames))) return kNames[number];
  return fmt::format("type {}", number);
}

bool is_readable(ElementType type) { return find(type) != nullptr; }

bool is_floating(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 ||
         type == ElementType::kBfloat16 || type == ElementType::kDouble;
}

bool is_small_integer(ElementType type) {
  return is_readable(type) && !is_floating(type) && bits(type) <= 16;
}

int bits(ElementType type) {
  const Readable* entry = find(type);
  return entry == nullptr ? 0 : entry->bits;
}

Format format_of(ElementType type) {
  VTA_ASSERT(is_readable(type), "a type of constants and values");
  return find(type)->format;
}

int64_t lowest(ElementType type) {
  const Readable* entry = find(type);
  if (entry == nullptr || !entry->is_signed) return 0;
  if (entry->bits == 64) return std::numeric_limits<int64_t>::min();
  return -(int64_t{1} << (entry->bits - 1));
}

int64_t highest(ElementType type) {
  if (type == ElementType::kBool) return 1;
  const Readable* entry = find(type);
  if (entry == nullptr) return 0;
  if (entry->bits == 64) return std::numeric_limits<int64_t>::max();
  return (int64_t{1} << (entry->bits - (entry->is_signed ? 1 : 0))) - 1;
}

}  // namespace vta::onnx
