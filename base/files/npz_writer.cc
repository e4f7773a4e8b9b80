// SPDX-License-Identifier: Apache-2.0
//
// The zip format: PKWARE's APPNOTE.TXT, 4.3. The format of members: npz.cc.
#include "base/files/npz_writer.h"

#include <string>
#include <string_view>

#include "base/errors/error.h"
#include "base/files/checksum.h"

namespace vta {
namespace {

constexpr uint64_t kMaxBytes = UINT32_MAX;
constexpr size_t kMaxNameBytes = 1024;
constexpr uint16_t kZipVersion = 20;  // 2.0
constexpr uint16_t kUtf8Names = 1 << 11;
constexpr uint16_t kFirstDay = 1 << 5 | 1;  // 1 January 1980: no wall clock in outputs
constexpr size_t kNpyAlignmentBytes = 64;

class Bytes {
 public:
  void add16(uint16_t value) { add(value, 2); }
  void add32(uint32_t value) { add(value, 4); }
  void add_text(std::string_view text) { bytes.insert(bytes.end(), text.begin(), text.end()); }

  std::vector<uint8_t> bytes;

 private:
  void add(uint32_t value, int count) {
    for (int i = 0; i < count; ++i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }
};

const char* descr_of(ArrayType type, const std::string& name) {
  switch (type) {
    case ArrayType::kFloat64:
      return "<f8";
    case ArrayType::kFloat32:
      return "<f4";
    case ArrayType::kFloat16:
      return "<f2";
    case ArrayType::kInt64:
      return "<i8";
    case ArrayType::kInt32:
      return "<i4";
    case ArrayType::kInt8:
      return "|i1";
    case ArrayType::kUint8:
      return "|u1";
    case ArrayType::kBFloat16:
      break;
  }
  fail(ErrorCode::kUnsupported, "array '{}': NumPy has no type {}", name, to_string(type));
}

std::vector<uint8_t> npy_of(const std::string& name, const NamedArray& array) {
  std::string shape;
  for (const int64_t size : array.shape) shape += fmt::format("{}, ", size);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   descr_of(array.type, name), shape);
  const std::string_view magic("\x93NUMPY\x01\x00", 8);
  const size_t before = magic.size() + sizeof(uint16_t);
  while ((before + header.size() + 1) % kNpyAlignmentBytes != 0) header += ' ';
  header += '\n';
  Bytes npy;
  npy.add_text(magic);
  npy.add16(static_cast<uint16_t>(header.size()));
  npy.add_text(header);
  npy.bytes.insert(npy.bytes.end(), array.bytes.begin(), array.bytes.end());
  return std::move(npy.bytes);
}

// A member's fields that the local header and the directory share.
void add_fields(Bytes& zip, const std::string& name, uint32_t crc, uint32_t size) {
  zip.add16(kZipVersion);
  zip.add16(kUtf8Names);
  zip.add16(0);  // stored
  zip.add16(0);  // 0:00
  zip.add16(kFirstDay);
  zip.add32(crc);
  zip.add32(size);  // compressed
  zip.add32(size);
  zip.add16(static_cast<uint16_t>(name.size()));
  zip.add16(0);  // extra fields
}

}  // namespace

std::vector<uint8_t> to_npz(const NamedArrays& arrays) {
  if (arrays.size() > UINT16_MAX)
    fail(ErrorCode::kUnsupported, "{} arrays, at most {} are supported", arrays.size(), UINT16_MAX);
  Bytes zip, directory;
  for (const auto& [array_name, array] : arrays) {
    const std::string name = array_name + ".npy";
    if (name.size() > kMaxNameBytes)
      fail(ErrorCode::kUnsupported, "an array's name of {} bytes, at most {} are supported",
           array_name.size(), kMaxNameBytes);
    const std::vector<uint8_t> npy = npy_of(array_name, array);
    if (zip.bytes.size() + npy.size() + 2 * name.size() + directory.bytes.size() + 256 > kMaxBytes)
      fail(ErrorCode::kUnsupported, "array '{}': an .npz of 4 GiB or more", array_name);
    const auto size = static_cast<uint32_t>(npy.size());
    const uint32_t crc = crc32(npy), offset = static_cast<uint32_t>(zip.bytes.size());
    zip.add_text("PK\x03\x04");
    add_fields(zip, name, crc, size);
    zip.add_text(name);
    zip.bytes.insert(zip.bytes.end(), npy.begin(), npy.end());
    directory.add_text("PK\x01\x02");
    directory.add16(kZipVersion);
    add_fields(directory, name, crc, size);
    directory.add16(0);  // comment
    directory.add16(0);  // disk
    directory.add16(0);  // attributes
    directory.add32(0);
    directory.add32(offset);
    directory.add_text(name);
  }
  const auto start = static_cast<uint32_t>(zip.bytes.size());
  const auto count = static_cast<uint16_t>(arrays.size());
  zip.bytes.insert(zip.bytes.end(), directory.bytes.begin(), directory.bytes.end());
  zip.add_text("PK\x05\x06");
  zip.add32(0);  // disks
  zip.add16(count);
  zip.add16(count);
  zip.add32(static_cast<uint32_t>(directory.bytes.size()));
  zip.add32(start);
  zip.add16(0);  // comment
  return std::move(zip.bytes);
}

}  // namespace vta
