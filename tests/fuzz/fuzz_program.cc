// SPDX-License-Identifier: Apache-2.0
//
// Program files (.vta). The lengths and the checksum of the preamble are corrected first, because
// few mutations would pass them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/base/checksum.h"
#include "runtime/base/error.h"
#include "runtime/base/round_up.h"
#include "runtime/program/program.h"
#include "tests/fuzz/sections.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);  // libFuzzer's

namespace vta::fuzz {
namespace {

// Magic number, version and CRC, then the lengths of the file and its header; the CRC is of all
// bytes after itself. Data follow the header at a multiple of kAlignment bytes.
constexpr size_t kCrcAt = 12, kFileBytesAt = 16, kHeaderBytesAt = 24, kHeaderAt = 32;
constexpr size_t kAlignment = 64;

void put_lengths_right(std::vector<uint8_t>& file) {
  if (file.size() < kHeaderAt) return;
  const uint64_t file_bytes = file.size();
  std::memcpy(&file[kFileBytesAt], &file_bytes, sizeof file_bytes);
  const uint32_t crc = crc32(std::span(file).subspan(kFileBytesAt));
  std::memcpy(&file[kCrcAt], &crc, sizeof crc);
}

std::vector<uint8_t> mutate(std::span<const uint8_t> bytes, size_t max_size, unsigned seed) {
  uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, &bytes[kHeaderBytesAt], sizeof header_bytes);
  header_bytes = std::min<uint64_t>(header_bytes, bytes.size() - kHeaderAt);
  const size_t data_at =
      std::min<size_t>(round_up(kHeaderAt + header_bytes, kAlignment), bytes.size());
  Sections sections;
  sections.header.assign(bytes.begin() + kHeaderAt, bytes.begin() + kHeaderAt + header_bytes);
  sections.data.assign(bytes.begin() + data_at, bytes.end());
  mutate_section(sections, max_size - std::min(max_size, kHeaderAt + kAlignment), seed);
  std::vector<uint8_t> file(bytes.begin(), bytes.begin() + kHeaderAt);
  header_bytes = sections.header.size();
  std::memcpy(&file[kHeaderBytesAt], &header_bytes, sizeof header_bytes);
  file.insert(file.end(), sections.header.begin(), sections.header.end());
  if (!sections.data.empty()) file.resize(round_up(file.size(), kAlignment));
  file.insert(file.end(), sections.data.begin(), sections.data.end());
  return file;
}

}  // namespace
}  // namespace vta::fuzz

// A program that is accepted must be written and read again without a change.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> file(data, data + size);
  vta::fuzz::put_lengths_right(file);
  try {
    const std::vector<uint8_t> written = serialize(vta::parse_program(file, "input"));
    if (serialize(vta::parse_program(written, "written")) != written) std::abort();
  } catch (const vta::Error& error) {
    if (std::strstr(error.what(), "written: ") == error.what()) std::abort();
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  constexpr unsigned kBytesEvery = 16;  // one mutation of so many is of bytes, also of the preamble
  if (size >= vta::fuzz::kHeaderAt && seed % kBytesEvery != 1) {
    const auto file = vta::fuzz::mutate({data, size}, max_size, seed);
    if (const size_t changed = vta::fuzz::give(file, {data, max_size})) return changed;
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
