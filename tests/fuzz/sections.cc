// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/sections.h"

#include <algorithm>
#include <cstddef>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);  // libFuzzer's

namespace vta::fuzz {

void mutate_section(Sections& sections, size_t max_size, unsigned seed) {
  constexpr unsigned kDataEvery = 8;  // one mutation of so many is of the data
  const bool of_data = seed % kDataEvery == 0 && !sections.data.empty();
  std::vector<uint8_t>& section = of_data ? sections.data : sections.header;
  const std::vector<uint8_t>& other = of_data ? sections.header : sections.data;
  const size_t old_size = section.size();
  const size_t limit = std::max(old_size, max_size - std::min(max_size, other.size()));
  if (limit == 0) return;
  section.resize(limit);
  section.resize(LLVMFuzzerMutate(section.data(), old_size, limit));
}

size_t give(const std::vector<uint8_t>& file, std::span<uint8_t> buffer) {
  if (file.size() > buffer.size()) return 0;
  std::ranges::copy(file, buffer.begin());
  return file.size();
}

}  // namespace vta::fuzz
