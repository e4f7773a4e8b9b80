// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/base/files/array_bytes.h"

#include <zlib.h>

#include "base/files/checksum.h"

namespace vta::test {
namespace {

void append(Bytes& bytes, uint64_t value, size_t count) {
  for (size_t i = 0; i < count; ++i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}
void append(Bytes& bytes, const Bytes& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}
void append(Bytes& bytes, const std::string& text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
}

Bytes deflated(const Bytes& plain) {
  Bytes result(plain.size() + 1024);
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = const_cast<uint8_t*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = result.data();
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

// The fields that local and central headers share, from "version needed" to "extra length".
void append_entry(Bytes& bytes, const std::string& name, const Bytes& plain, const Bytes& packed,
                  bool deflate) {
  append(bytes, 20, 2);
  append(bytes, 0, 2);
  append(bytes, deflate ? 8 : 0, 2);
  append(bytes, 0x00210000, 4);  // 1 January 1980
  append(bytes, crc32(plain), 4);
  append(bytes, packed.size(), 4);
  append(bytes, plain.size(), 4);
  append(bytes, name.size(), 2);
  append(bytes, 0, 2);
}

}  // namespace

std::string npy_header(const std::string& descr, const std::string& shape, bool fortran_order) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

Bytes npy(const std::string& dictionary, const Bytes& elements, uint8_t version) {
  Bytes bytes = {0x93, 'N', 'U', 'M', 'P', 'Y', version, 0};
  append(bytes, dictionary.size(), version == 1 ? 2 : 4);
  append(bytes, dictionary);
  append(bytes, elements);
  return bytes;
}

Bytes zip(const std::vector<std::pair<std::string, Bytes>>& members, bool deflate) {
  Bytes bytes, directory;
  for (const auto& [name, plain] : members) {
    const Bytes packed = deflate ? deflated(plain) : plain;
    append(directory, 0x02014b50, 4);
    append(directory, 20, 2);
    append_entry(directory, name, plain, packed, deflate);
    append(directory, 0, 8);  // comment, disk, attributes
    append(directory, 0, 2);
    append(directory, bytes.size(), 4);
    append(directory, name);
    append(bytes, 0x04034b50, 4);
    append_entry(bytes, name, plain, packed, deflate);
    append(bytes, name);
    append(bytes, packed);
  }
  const size_t directory_offset = bytes.size();
  append(bytes, directory);
  append(bytes, 0x06054b50, 4);
  append(bytes, 0, 4);
  append(bytes, members.size(), 2);
  append(bytes, members.size(), 2);
  append(bytes, directory.size(), 4);
  append(bytes, directory_offset, 4);
  append(bytes, 0, 2);
  return bytes;
}

Bytes safetensors(const std::string& header, const Bytes& data) {
  Bytes bytes;
  append(bytes, header.size(), 8);
  append(bytes, header);
  append(bytes, data);
  return bytes;
}

}  // namespace vta::test
