// SPDX-License-Identifier: Apache-2.0
//
// Quantized networks (.vtaq): a .safetensors file with the text of a graph in its header.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "compiler/import/quantized_file.h"
#include "runtime/base/error.h"
#include "tests/fuzz/sections.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);  // libFuzzer's

namespace vta::fuzz {
namespace {

constexpr size_t kHeaderAt = 8;  // after its length

std::vector<uint8_t> mutate(std::span<const uint8_t> bytes, size_t max_size, unsigned seed) {
  uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, bytes.data(), sizeof header_bytes);
  header_bytes = std::min<uint64_t>(header_bytes, bytes.size() - kHeaderAt);
  const auto header_end = bytes.begin() + kHeaderAt + static_cast<ptrdiff_t>(header_bytes);
  Sections sections{{bytes.begin() + kHeaderAt, header_end}, {header_end, bytes.end()}};
  mutate_section(sections, max_size - std::min(max_size, kHeaderAt), seed);
  std::vector<uint8_t> file(kHeaderAt);
  header_bytes = sections.header.size();
  std::memcpy(file.data(), &header_bytes, sizeof header_bytes);
  file.insert(file.end(), sections.header.begin(), sections.header.end());
  file.insert(file.end(), sections.data.begin(), sections.data.end());
  return file;
}

}  // namespace
}  // namespace vta::fuzz

// A network that is accepted must be written and read again without a change.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> written;
  try {
    written = to_quantized_file(vta::import::parse_quantized_file({data, size}));
    if (to_quantized_file(vta::import::parse_quantized_file(written)) != written) std::abort();
  } catch (const vta::Error&) {
    if (!written.empty()) std::abort();
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  constexpr unsigned kBytesEvery = 16;  // one mutation of so many is of bytes, also of the length
  if (size >= vta::fuzz::kHeaderAt && seed % kBytesEvery != 1) {
    const auto file = vta::fuzz::mutate({data, size}, max_size, seed);
    if (const size_t changed = vta::fuzz::give(file, {data, max_size})) return changed;
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
