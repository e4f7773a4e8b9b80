// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/bad_files.h"

#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/checksum.h"
#include "base/numbers/random.h"

namespace vta::cli_test {
namespace {

using Json = nlohmann::ordered_json;

void append(Bytes& bytes, const std::string& text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
}
void append(Bytes& bytes, const Bytes& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

void append_big_endian(Bytes& bytes, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<uint8_t>(value >> shift));
}

void append_little_endian(Bytes& bytes, uint64_t value, int count) {
  for (int i = 0; i < count; ++i)
    bytes.push_back(static_cast<uint8_t>(i < 8 ? value >> (8 * i) : 0));
}

void append_png_chunk(Bytes& png, const std::string& type, const Bytes& content) {
  append_big_endian(png, static_cast<uint32_t>(content.size()));
  Bytes checked;
  append(checked, type);
  append(checked, content);
  append(png, checked);
  append_big_endian(png, crc32(checked));
}

// Collects every value in `json`, including itself.
void collect(Json& json, std::vector<Json*>& values) {
  values.push_back(&json);
  if (!json.is_structured()) return;
  for (Json& inner : json) collect(inner, values);
}

}  // namespace

Bytes truncated(const Bytes& bytes, uint64_t seed) {
  Random random(seed);
  const int64_t size = random.between(0, static_cast<int64_t>(bytes.size()) - 1);
  return {bytes.begin(), bytes.begin() + size};
}

Bytes with_flipped_bit(const Bytes& bytes, uint64_t seed) {
  Random random(seed);
  Bytes flipped = bytes;
  flipped.at(random.between(0, static_cast<int64_t>(bytes.size()) - 1)) ^= 1
                                                                           << random.between(0, 7);
  return flipped;
}

Bytes random_bytes(size_t count, uint64_t seed) {
  Random random(seed);
  Bytes bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.next());
  return bytes;
}

std::string with_wrong_type(const std::string& json_text, uint64_t seed) {
  Random random(seed);
  Json json = Json::parse(json_text);
  std::vector<Json*> values;
  collect(json, values);
  Json& victim = *values[random.between(1, static_cast<int64_t>(values.size()) - 1)];
  victim = victim.is_object() ? Json("mistyped") : Json{{"mistyped", 1}};
  return json.dump();
}

std::string with_extra_key(const std::string& json_text, uint64_t seed) {
  Random random(seed);
  Json json = Json::parse(json_text);
  std::vector<Json*> values;
  collect(json, values);
  std::erase_if(values, [](const Json* value) { return !value->is_object(); });
  (*values[random.between(0, static_cast<int64_t>(values.size()) - 1)])["surplus"] = 1;
  return json.dump();
}

Bytes program_with_wrong_type(const Bytes& program, uint64_t seed) {
  // The layout of runtime/program/README.md.
  constexpr size_t kChecksumFrom = 16, kHeader = 32, kAlignment = 64;
  const auto round_up = [](size_t size) {
    return (size + kAlignment - 1) / kAlignment * kAlignment;
  };
  uint64_t header_bytes = 0;
  for (int i = 7; i >= 0; --i) header_bytes = header_bytes << 8 | program.at(24 + i);
  const auto header_begin = program.begin() + kHeader;
  const std::string header =
      with_wrong_type({header_begin, header_begin + static_cast<int64_t>(header_bytes)}, seed);
  const Bytes data(program.begin() + static_cast<int64_t>(round_up(kHeader + header_bytes)),
                   program.end());

  Bytes checked;
  const size_t data_begin = round_up(kHeader + header.size());
  append_little_endian(checked, data_begin + data.size(), 8);
  append_little_endian(checked, header.size(), 8);
  append(checked, header);
  checked.resize(data_begin - kChecksumFrom);
  append(checked, data);
  Bytes changed(program.begin(), program.begin() + 12);
  append_little_endian(changed, crc32(checked), 4);
  append(changed, checked);
  return changed;
}

Bytes png_claiming(uint32_t width, uint32_t height) {
  Bytes png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  Bytes header;
  append_big_endian(header, width);
  append_big_endian(header, height);
  append(header, Bytes{8, 0, 0, 0, 0});
  append_png_chunk(png, "IHDR", header);
  append_png_chunk(png, "IDAT", {0x78, 0x9c, 0x63, 0x60, 0x00, 0x00, 0x00, 0x02, 0x00, 0x01});
  append_png_chunk(png, "IEND", {});
  return png;
}

Bytes npz_with(const std::string& array_name, const std::string& npy_header, const Bytes& data) {
  Bytes member = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  append_little_endian(member, npy_header.size(), 2);
  append(member, npy_header);
  append(member, data);
  const std::string name = array_name + ".npy";

  const auto append_entry = [&](Bytes& zip) {  // the common part of local header and directory
    append_little_endian(zip, 20, 2);          // version needed
    append_little_endian(zip, 0, 2 + 2 + 4);   // flags, stored, time
    append_little_endian(zip, crc32(member), 4);
    append_little_endian(zip, member.size(), 4);
    append_little_endian(zip, member.size(), 4);
    append_little_endian(zip, name.size(), 2);
    append_little_endian(zip, 0, 2);  // extra field
  };
  Bytes zip;
  append(zip, std::string("PK\x03\x04"));
  append_entry(zip);
  append(zip, name);
  append(zip, member);
  const size_t directory = zip.size();
  append(zip, std::string("PK\x01\x02"));
  append_little_endian(zip, 20, 2);
  append_entry(zip);
  append_little_endian(zip, 0,
                       2 + 2 + 2 + 4 + 4);  // comment, disk, attributes, offset of the member
  append(zip, name);
  const size_t directory_bytes = zip.size() - directory;
  append(zip, std::string("PK\x05\x06"));
  append_little_endian(zip, 0, 4);
  append_little_endian(zip, 1, 2);
  append_little_endian(zip, 1, 2);
  append_little_endian(zip, directory_bytes, 4);
  append_little_endian(zip, directory, 4);
  append_little_endian(zip, 0, 2);
  return zip;
}

}  // namespace vta::cli_test
