// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/section_mutator.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/numbers/round_up.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);  // libFuzzer's

namespace vta::fuzz {
namespace {

constexpr unsigned kBytesEvery = 16;
constexpr unsigned kDataEvery = 8;

using Bytes = std::vector<uint8_t>;

struct Sections {
  Bytes preamble, header, data;
};

Sections split(std::span<const uint8_t> file, const Layout& layout) {
  uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, &file[layout.length_at], sizeof header_bytes);
  const auto body = file.subspan(layout.preamble_bytes);
  header_bytes = std::min<uint64_t>(header_bytes, body.size());
  const size_t data_at = std::min<size_t>(
      round_up(layout.preamble_bytes + header_bytes, layout.data_alignment), file.size());
  const auto header = body.first(header_bytes), data = file.subspan(data_at);
  return {{file.begin(), body.begin()}, {header.begin(), header.end()}, {data.begin(), data.end()}};
}

Bytes join(Sections sections, const Layout& layout) {
  const uint64_t header_bytes = sections.header.size();
  Bytes file = std::move(sections.preamble);
  std::memcpy(&file[layout.length_at], &header_bytes, sizeof header_bytes);
  file.insert(file.end(), sections.header.begin(), sections.header.end());
  if (!sections.data.empty()) file.resize(round_up(file.size(), layout.data_alignment));
  file.insert(file.end(), sections.data.begin(), sections.data.end());
  return file;
}

void mutate(Bytes& section, size_t max_growth_bytes) {
  const size_t old_size = section.size(), limit = old_size + max_growth_bytes;
  if (limit == 0) return;
  section.resize(limit);
  section.resize(LLVMFuzzerMutate(section.data(), old_size, limit));
}

}  // namespace

size_t mutate_section(std::span<uint8_t> buffer, size_t size, unsigned seed, const Layout& layout) {
  if (size >= layout.preamble_bytes && seed % kBytesEvery != 0) {
    Sections sections = split(buffer.first(size), layout);
    const bool of_data = layout.data_change && seed % kDataEvery == 1 && !sections.data.empty();
    mutate(of_data ? sections.data : sections.header, buffer.size() - size);
    const Bytes file = join(std::move(sections), layout);
    if (file.size() <= buffer.size()) {  // else padding made it too large
      std::ranges::copy(file, buffer.begin());
      return file.size();
    }
  }
  return LLVMFuzzerMutate(buffer.data(), size, buffer.size());
}

}  // namespace vta::fuzz
