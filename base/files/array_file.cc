// SPDX-License-Identifier: Apache-2.0
#include "base/files/array_file.h"

#include <bit>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "base/errors/error.h"
#include "base/files/array_formats.h"
#include "base/files/file.h"
#include "base/limits/memory_limit.h"

namespace vta {
namespace {

static_assert(std::endian::native == std::endian::little,
              "arrays are used in the byte order of the file");

constexpr uint64_t kMaxFileBytes = uint64_t{1} << 31;
constexpr uint64_t kMaxArrayBytes = uint64_t{1} << 32;
constexpr uint64_t kMaxArrays = 1 << 16;
constexpr size_t kMaxAxes = 8;

template <typename T, typename Result>
std::vector<Result> converted(const std::vector<uint8_t>& bytes) {
  std::vector<Result> result(bytes.size() / sizeof(T));
  for (size_t i = 0; i < result.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    result[i] = static_cast<Result>(value);
  }
  return result;
}

float float_from_bfloat16(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

float float_from_half(uint16_t bits) {
  const uint32_t sign = uint32_t{bits & 0x8000u} << 16;
  const uint32_t exponent = (bits >> 10) & 0x1f;
  const uint32_t fraction = bits & 0x3ff;
  if (exponent == 0) {  // zero and subnormals: fraction * 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const uint32_t wide_exponent = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide_exponent << 23 | fraction << 13);
}

template <float (*kConvert)(uint16_t)>
std::vector<float> widened(const std::vector<uint8_t>& bytes) {
  const std::vector<uint16_t> halves = converted<uint16_t, uint16_t>(bytes);
  std::vector<float> result(halves.size());
  for (size_t i = 0; i < result.size(); ++i) result[i] = kConvert(halves[i]);
  return result;
}

std::unique_ptr<const ArraySource> open_arrays(std::span<const uint8_t> bytes) {
  // A zip archive starts with a member's header, an empty one with the end of its directory.
  const bool is_zip = bytes.size() >= 2 && bytes[0] == 'P' && bytes[1] == 'K';
  if (!is_zip && bytes.size() >= 2 && bytes[0] == 0x93 && bytes[1] == 'N') return open_npy(bytes);
  return is_zip ? open_npz(bytes) : open_safetensors(bytes);
}

}  // namespace

const char* to_string(ArrayType type) {
  switch (type) {
    case ArrayType::kFloat64:
      return "float64";
    case ArrayType::kFloat32:
      return "float32";
    case ArrayType::kFloat16:
      return "float16";
    case ArrayType::kBFloat16:
      return "bfloat16";
    case ArrayType::kInt64:
      return "int64";
    case ArrayType::kInt32:
      return "int32";
    case ArrayType::kInt8:
      return "int8";
    case ArrayType::kUint8:
      return "uint8";
  }
  return "?";
}

size_t size_bytes(ArrayType type) {
  switch (type) {
    case ArrayType::kFloat64:
    case ArrayType::kInt64:
      return 8;
    case ArrayType::kFloat32:
    case ArrayType::kInt32:
      return 4;
    case ArrayType::kFloat16:
    case ArrayType::kBFloat16:
      return 2;
    case ArrayType::kInt8:
    case ArrayType::kUint8:
      return 1;
  }
  return 1;
}

int64_t NamedArray::num_elems() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies());
}

bool NamedArray::is_floating() const {
  return type == ArrayType::kFloat64 || type == ArrayType::kFloat32 ||
         type == ArrayType::kFloat16 || type == ArrayType::kBFloat16;
}

std::string NamedArray::type_text() const {
  return fmt::format("{}[{}]", to_string(type), fmt::join(shape, ", "));
}

std::vector<float> NamedArray::to_floats() const {
  switch (type) {
    case ArrayType::kFloat64:
      return converted<double, float>(bytes);
    case ArrayType::kFloat32:
      return converted<float, float>(bytes);
    case ArrayType::kFloat16:
      return widened<float_from_half>(bytes);
    case ArrayType::kBFloat16:
      return widened<float_from_bfloat16>(bytes);
    case ArrayType::kInt64:
      return converted<int64_t, float>(bytes);
    case ArrayType::kInt32:
      return converted<int32_t, float>(bytes);
    case ArrayType::kInt8:
      return converted<int8_t, float>(bytes);
    case ArrayType::kUint8:
      return converted<uint8_t, float>(bytes);
  }
  return {};
}

std::vector<int64_t> NamedArray::to_integers() const {
  VTA_ASSERT(!is_floating(), "the array holds integers");
  switch (type) {
    case ArrayType::kInt64:
      return converted<int64_t, int64_t>(bytes);
    case ArrayType::kInt32:
      return converted<int32_t, int64_t>(bytes);
    case ArrayType::kInt8:
      return converted<int8_t, int64_t>(bytes);
    default:
      return converted<uint8_t, int64_t>(bytes);
  }
}

uint64_t ArrayBudget::charge(const std::string& name, ArrayType type,
                             const std::vector<int64_t>& shape) {
  if (++num_arrays_ > kMaxArrays) fail(ErrorCode::kCorrupt, "more than {} arrays", kMaxArrays);
  if (shape.size() > kMaxAxes) {
    fail(ErrorCode::kCorrupt, "array '{}' has {} axes, more than {}", printable(name), shape.size(),
         kMaxAxes);
  }
  uint64_t bytes = size_bytes(type);
  for (int64_t dim : shape) {
    if (dim < 0 || (dim > 0 && bytes > kMaxArrayBytes / static_cast<uint64_t>(dim))) {
      fail(ErrorCode::kCorrupt, "array '{}' has shape [{}], expected at most {} bytes",
           printable(name), fmt::join(shape, ", "), kMaxArrayBytes);
    }
    bytes *= static_cast<uint64_t>(dim);
  }
  used_bytes_ += bytes;
  if (used_bytes_ > kMaxArrayBytes) {
    fail(ErrorCode::kCorrupt, "more than {} bytes of arrays in total", kMaxArrayBytes);
  }
  // The arrays before this one are still held.
  check_memory(fmt::format("array '{}' [{}], with the arrays before it,", printable(name),
                           fmt::join(shape, ", ")),
               used_bytes_);
  return bytes;
}

std::string printable(const std::string& name) {
  constexpr size_t kMaxChars = 80;
  std::string result = name.substr(0, kMaxChars);
  for (char& c : result) {
    if (c < ' ' || c > '~') c = '?';
  }
  return result;
}

NamedArray ArraySource::read(const std::string& name) const {
  NamedArray array = headers_.at(name);
  array.bytes = read_bytes(name);
  return array;
}

NamedArrays ArraySource::read_all() const {
  NamedArrays arrays;
  for (const auto& [name, header] : headers_) arrays.emplace(name, read(name));
  return arrays;
}

ArrayFile::ArrayFile(std::span<const uint8_t> bytes, std::string origin)
    : origin_(std::move(origin)),
      source_(with_context(origin_, [&] { return open_arrays(bytes); })) {}

ArrayFile::ArrayFile(const std::filesystem::path& path)
    : file_(read_file(path, kMaxFileBytes)),
      origin_(path.string()),
      source_(with_context(origin_, [&] { return open_arrays(file_); })) {}

ArrayFile::ArrayFile(ArrayFile&&) noexcept = default;
ArrayFile::~ArrayFile() = default;

const NamedArrays& ArrayFile::headers() const { return source_->headers(); }

NamedArray ArrayFile::read(const std::string& name) const {
  return with_context(origin_, [&] { return source_->read(name); });
}

NamedArrays ArrayFile::read_all() const {
  return with_context(origin_, [&] { return source_->read_all(); });
}

NamedArrays read_arrays(const std::filesystem::path& path) { return ArrayFile(path).read_all(); }

NamedArrays parse_arrays(std::span<const uint8_t> bytes, const std::string& origin) {
  return ArrayFile(bytes, origin).read_all();
}

}  // namespace vta
