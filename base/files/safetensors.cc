// SPDX-License-Identifier: Apache-2.0
//
// The format: a uint64 header length, a JSON header {NAME: {dtype, shape, data_offsets: [begin,
// end]}, ...}, then the data that the offsets count from, without gaps.
#include "base/files/safetensors.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/files/array_formats.h"
#include "base/files/strict_json.h"

namespace vta {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMaxHeaderBytes = uint64_t{16} << 20;

constexpr const char* kMetadata = "__metadata__";
constexpr std::pair<const char*, ArrayType> kTypes[] = {
    {"F64", ArrayType::kFloat64},   {"F32", ArrayType::kFloat32}, {"F16", ArrayType::kFloat16},
    {"BF16", ArrayType::kBFloat16}, {"I64", ArrayType::kInt64},   {"I32", ArrayType::kInt32},
    {"I8", ArrayType::kInt8},       {"U8", ArrayType::kUint8},
};

// An array's bytes within the data.
struct Range {
  uint64_t begin;
  uint64_t end;
};

struct Extent {
  uint64_t begin;
  uint64_t end;
  std::string name;
};

ArrayType type_from(const std::string& name, const std::string& dtype) {
  for (const auto& [text, type] : kTypes) {
    if (dtype == text) return type;
  }
  fail(ErrorCode::kUnsupported,
       "array '{}' has dtype '{}', expected F64, F32, F16, BF16, I64, I32, I8 or U8",
       printable(name), printable(dtype));
}

// Non-negative integers below 2^63.
std::vector<int64_t> read_sizes(const std::string& name, const Json& entry, const char* key) {
  const auto found = entry.find(key);
  std::vector<int64_t> sizes;
  bool well_formed = found != entry.end() && found->is_array();
  if (well_formed) {
    for (const Json& value : *found) {
      well_formed = well_formed && value.is_number_unsigned() && value.get<uint64_t>() >> 63 == 0;
      if (well_formed) sizes.push_back(value.get<int64_t>());
    }
  }
  if (!well_formed) {
    fail(ErrorCode::kCorrupt, "array '{}': {} is not a list of sizes", printable(name), key);
  }
  return sizes;
}

class Reader : public ArraySource {
 public:
  explicit Reader(std::span<const uint8_t> bytes) {
    uint64_t header_bytes = 0;
    if (bytes.size() < sizeof(header_bytes)) {
      fail(ErrorCode::kCorrupt, "{} bytes are neither an .npz nor a .safetensors file",
           bytes.size());
    }
    std::memcpy(&header_bytes, bytes.data(), sizeof(header_bytes));
    const std::span<const uint8_t> rest = bytes.subspan(sizeof(header_bytes));
    if (header_bytes > rest.size() || header_bytes > kMaxHeaderBytes) {
      fail(ErrorCode::kCorrupt,
           "neither an .npz nor a .safetensors file (a header of {} bytes, expected at most {})",
           header_bytes, std::min<uint64_t>(rest.size(), kMaxHeaderBytes));
    }
    header_ = parse_strict_json(
        {reinterpret_cast<const char*>(rest.data()), static_cast<size_t>(header_bytes)}, 4);
    if (!header_.is_object()) fail(ErrorCode::kCorrupt, "the header is not a JSON object");
    data_ = rest.subspan(static_cast<size_t>(header_bytes));
    for (const auto& [name, entry] : header_.items()) {
      if (name != kMetadata) headers_.emplace(name, read_header(name, entry));
    }
    check_extents();
  }

  std::map<std::string, std::string> read_metadata() const {
    std::map<std::string, std::string> metadata;
    const auto found = header_.find(kMetadata);
    if (found == header_.end()) return metadata;
    if (!found->is_object()) fail(ErrorCode::kCorrupt, "{} is not an object", kMetadata);
    for (const auto& [key, value] : found->items()) {
      if (!value.is_string())
        fail(ErrorCode::kCorrupt, "{}: '{}' is not a string", kMetadata, printable(key));
      metadata[key] = value.get<std::string>();
    }
    return metadata;
  }

 private:
  std::vector<uint8_t> read_bytes(const std::string& name) const override {
    const Range& range = ranges_.at(name);
    const std::span<const uint8_t> source = data_.subspan(range.begin, range.end - range.begin);
    return {source.begin(), source.end()};
  }

  NamedArray read_header(const std::string& name, const Json& entry) {
    if (!entry.is_object())
      fail(ErrorCode::kCorrupt, "array '{}' is not an object", printable(name));
    const auto dtype = entry.find("dtype");
    if (dtype == entry.end() || !dtype->is_string()) {
      fail(ErrorCode::kCorrupt, "array '{}': dtype is not a string", printable(name));
    }
    NamedArray array;
    array.type = type_from(name, dtype->get<std::string>());
    array.shape = read_sizes(name, entry, "shape");
    const std::vector<int64_t> offsets = read_sizes(name, entry, "data_offsets");
    const uint64_t size = budget_.charge(name, array.type, array.shape);
    if (offsets.size() != 2 || offsets[0] > offsets[1] ||
        static_cast<uint64_t>(offsets[1]) > data_.size()) {
      fail(ErrorCode::kCorrupt, "array '{}': data_offsets [{}] are not a range within {}",
           printable(name), fmt::join(offsets, ", "), counted(data_.size(), "byte"));
    }
    const auto begin = static_cast<uint64_t>(offsets[0]), end = static_cast<uint64_t>(offsets[1]);
    if (end - begin != size) {
      fail(ErrorCode::kCorrupt, "array '{}': {} takes {}, data_offsets [{}] hold {}",
           printable(name), array.type_text(), counted(size, "byte"), fmt::join(offsets, ", "),
           end - begin);
    }
    ranges_[name] = {begin, end};
    return array;
  }

  // Every byte must belong to exactly one array.
  void check_extents() const {
    std::vector<Extent> extents;
    for (const auto& [name, range] : ranges_) extents.push_back({range.begin, range.end, name});
    std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) {
      return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    uint64_t expected = 0;
    for (const Extent& extent : extents) {
      if (extent.begin != expected) {
        fail(ErrorCode::kCorrupt, "array '{}' starts at byte {}, expected {}: {}",
             printable(extent.name), extent.begin, expected,
             extent.begin < expected ? "arrays overlap" : "bytes outside all arrays");
      }
      expected = extent.end;
    }
    if (expected != data_.size()) {
      fail(ErrorCode::kCorrupt, "{} after the last array",
           counted(data_.size() - expected, "byte"));
    }
  }

  Json header_;
  std::span<const uint8_t> data_;
  std::map<std::string, Range> ranges_;
  ArrayBudget budget_;
};

const char* dtype_of(ArrayType type) {
  for (const auto& [text, known] : kTypes) {
    if (known == type) return text;
  }
  VTA_ASSERT(false, "every type has a name");
  return "";
}

std::string header_text(const SafetensorsFile& file) {
  Json header = Json::object();
  if (!file.metadata.empty()) header[kMetadata] = file.metadata;
  uint64_t begin = 0;
  for (const auto& [name, array] : file.arrays) {
    const uint64_t end = begin + array.bytes.size();
    header[name] = {
        {"dtype", dtype_of(array.type)}, {"shape", array.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // aligns the data to 8 bytes
  return text;
}

}  // namespace

std::unique_ptr<const ArraySource> open_safetensors(std::span<const uint8_t> bytes) {
  return std::make_unique<Reader>(bytes);
}

SafetensorsFile parse_safetensors_file(std::span<const uint8_t> bytes) {
  const Reader reader(bytes);
  return {reader.read_metadata(), reader.read_all()};
}

std::vector<uint8_t> to_safetensors(const SafetensorsFile& file) {
  const std::string header = header_text(file);
  if (header.size() > kMaxHeaderBytes) {
    fail(ErrorCode::kInvalidArgument, "a .safetensors header of {} bytes, at most {} are supported",
         header.size(), kMaxHeaderBytes);
  }
  const uint64_t header_bytes = header.size();
  std::vector<uint8_t> bytes(sizeof(header_bytes));
  std::memcpy(bytes.data(), &header_bytes, sizeof(header_bytes));
  bytes.insert(bytes.end(), header.begin(), header.end());
  for (const auto& [name, array] : file.arrays)
    bytes.insert(bytes.end(), array.bytes.begin(), array.bytes.end());
  return bytes;
}

}  // namespace vta
