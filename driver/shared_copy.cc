// SPDX-License-Identifier: Apache-2.0
#include "driver/shared_copy.h"

#include <algorithm>
#include <cstring>

namespace vta::driver {
namespace {

using Word = uint32_t;

// Calls on_byte(offset) and on_word(offset) for the parts of [address, address + size).
template <typename OnByte, typename OnWord>
void for_each_aligned(const uint8_t* address, uint64_t size_bytes, OnByte&& on_byte,
                      OnWord&& on_word) {
  const uint64_t misaligned = reinterpret_cast<uintptr_t>(address) % sizeof(Word);
  const uint64_t head = std::min(size_bytes, (sizeof(Word) - misaligned) % sizeof(Word));
  uint64_t offset = 0;
  for (; offset < head; ++offset) on_byte(offset);
  for (; size_bytes - offset >= sizeof(Word); offset += sizeof(Word)) on_word(offset);
  for (; offset < size_bytes; ++offset) on_byte(offset);
}

// Volatile, so that the compiler neither merges the accesses nor replaces them by memcpy().
volatile Word& word_at(uint8_t* shared, uint64_t offset) {
  return *reinterpret_cast<volatile Word*>(shared + offset);
}
const volatile Word& word_at(const uint8_t* shared, uint64_t offset) {
  return *reinterpret_cast<const volatile Word*>(shared + offset);
}

}  // namespace

void copy_to_shared(uint8_t* shared, std::span<const uint8_t> bytes) {
  volatile uint8_t* const target = shared;
  for_each_aligned(
      shared, bytes.size(), [&](uint64_t offset) { target[offset] = bytes[offset]; },
      [&](uint64_t offset) {
        Word word;
        std::memcpy(&word, &bytes[offset], sizeof(word));
        word_at(shared, offset) = word;
      });
}

void copy_from_shared(std::span<uint8_t> bytes, const uint8_t* shared) {
  const volatile uint8_t* const source = shared;
  for_each_aligned(
      shared, bytes.size(), [&](uint64_t offset) { bytes[offset] = source[offset]; },
      [&](uint64_t offset) {
        const Word word = word_at(shared, offset);
        std::memcpy(&bytes[offset], &word, sizeof(word));
      });
}

void clear_shared(uint8_t* shared, uint64_t size_bytes) {
  volatile uint8_t* const target = shared;
  for_each_aligned(
      shared, size_bytes, [&](uint64_t offset) { target[offset] = 0; },
      [&](uint64_t offset) { word_at(shared, offset) = 0; });
}

}  // namespace vta::driver
