// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/raw_elements.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "base/errors/counted.h"

namespace vta::onnx {
namespace {

float float_of_float16(uint16_t half_bits) {
  const int exponent = (half_bits >> 10) & 0x1f;
  const int fraction = half_bits & 0x3ff;
  const float sign = (half_bits & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 0x1f) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
}

// Element `index` of little-endian unsigned integers.
uint64_t unsigned_at(std::span<const uint8_t> bytes, int64_t index, int num_bits) {
  if (num_bits == 4) {
    const uint8_t pair = bytes[static_cast<size_t>(index / 2)];
    return index % 2 == 0 ? pair & 0xf : pair >> 4;
  }
  const auto num_bytes = static_cast<size_t>(num_bits / 8);
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + static_cast<size_t>(index) * num_bytes, num_bytes);
  return value;
}

float float_at(std::span<const uint8_t> bytes, int64_t index, ElementType type) {
  const uint64_t pattern = unsigned_at(bytes, index, bits(type));
  if (type == ElementType::kDouble) return static_cast<float>(std::bit_cast<double>(pattern));
  if (type == ElementType::kFloat) return std::bit_cast<float>(static_cast<uint32_t>(pattern));
  return float_of_half_bits(static_cast<uint16_t>(pattern), type);
}

int64_t integer_at(std::span<const uint8_t> bytes, int64_t index, ElementType type) {
  const int num_bits = bits(type);
  const uint64_t pattern = unsigned_at(bytes, index, num_bits);
  if (lowest(type) < 0) {
    const int unused = 64 - num_bits;
    return static_cast<int64_t>(pattern << unused) >> unused;
  }
  if (type == ElementType::kBool) return pattern != 0 ? 1 : 0;
  if (pattern > static_cast<uint64_t>(highest(type))) {
    fail(ErrorCode::kUnsupported, "value {} is above {}", pattern, highest(type));
  }
  return static_cast<int64_t>(pattern);
}

}  // namespace

float float_of_half_bits(uint16_t half_bits, ElementType type) {
  if (type == ElementType::kFloat16) return float_of_float16(half_bits);
  return std::bit_cast<float>(uint32_t{half_bits} << 16);
}

void decode_raw(std::span<const uint8_t> bytes, int64_t count, Array& array) {
  const int num_bits = bits(array.type);
  const uint64_t num_bytes = (static_cast<uint64_t>(count) * num_bits + 7) / 8;
  if (bytes.size() < num_bytes) {
    fail(ErrorCode::kCorrupt, "{} stored, {} has {}", counted(bytes.size(), "byte"),
         to_string(array), num_bytes);
  }
  if (array.type == ElementType::kFloat) {
    array.floats.resize(static_cast<size_t>(count));
    if (count > 0) std::memcpy(array.floats.data(), bytes.data(), num_bytes);
  } else if (array.is_float()) {
    array.floats.reserve(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) array.floats.push_back(float_at(bytes, i, array.type));
  } else {
    array.ints.reserve(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) array.ints.push_back(integer_at(bytes, i, array.type));
  }
}

}  // namespace vta::onnx
