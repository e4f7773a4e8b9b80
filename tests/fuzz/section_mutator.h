// SPDX-License-Identifier: Apache-2.0
//
// Mutations of files that are a preamble, a JSON header and data: the header or the data change,
// and the preamble has the new length of the header. Mutations of bytes would rarely get past that
// length.
#ifndef VTA_TESTS_FUZZ_SECTION_MUTATOR_H_
#define VTA_TESTS_FUZZ_SECTION_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace vta::fuzz {

struct Layout {
  size_t preamble_bytes;
  size_t length_at;       // byte of the preamble where the 64-bit length of the header is
  size_t data_alignment;  // data begin at a multiple of it
  bool data_change;       // false: only the header changes
};

// A custom mutator of libFuzzer: changes the file in the first `size` bytes of `buffer`, and
// returns its new size. 1 in 16 mutations is of any bytes, also of the preamble.
size_t mutate_section(std::span<uint8_t> buffer, size_t size, unsigned seed, const Layout& layout);

}  // namespace vta::fuzz

#endif  // VTA_TESTS_FUZZ_SECTION_MUTATOR_H_
