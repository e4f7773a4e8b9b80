// SPDX-License-Identifier: Apache-2.0
//
// Files of a preamble with lengths, a header of JSON text and data: mutations change the header or
// the data, and the lengths follow. Mutations of the bytes would rarely get beyond the lengths.
#ifndef VTA_TESTS_FUZZ_SECTIONS_H_
#define VTA_TESTS_FUZZ_SECTIONS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace vta::fuzz {

struct Sections {
  std::vector<uint8_t> header, data;
};

// Changes the header, more often than the data, by libFuzzer's mutations; both stay below
// `max_size` bytes together.
void mutate_section(Sections& sections, size_t max_size, unsigned seed);

// Copies a file to libFuzzer's buffer; returns its size, or 0 if it is larger than the buffer.
size_t give(const std::vector<uint8_t>& file, std::span<uint8_t> buffer);

}  // namespace vta::fuzz

#endif  // VTA_TESTS_FUZZ_SECTIONS_H_
