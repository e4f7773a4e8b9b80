// SPDX-License-Identifier: Apache-2.0
//
// WrittenGranules: the DRAM that the stores of a stream write, the only DRAM for which stages can
// race. A bit stands for a granule: memory in proportion to the arena, however many rows the stores
// have.
#ifndef VTA_RUNTIME_PROGRAM_WRITTEN_GRANULES_H_
#define VTA_RUNTIME_PROGRAM_WRITTEN_GRANULES_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vta {

class WrittenGranules {
 public:
  // `granule_bytes` divides the bounds of every range that is added.
  explicit WrittenGranules(uint64_t granule_bytes) : granule_bytes_(granule_bytes) {}

  // Adds bytes [first, last).
  void add(uint64_t first, uint64_t last) {
    const size_t begin = first / granule_bytes_, end = last / granule_bytes_;
    if (begin >= end) return;
    if (words_.size() < words_for(end)) words_.resize(words_for(end));
    for (size_t w = begin / kWordBits; w < words_for(end); ++w) words_[w] |= bits_of(w, begin, end);
  }

  // Call once after the last add(). Returns the number of granules.
  size_t close() {
    size_t granules = 0;
    for (const uint64_t word : words_) {
      rank_.push_back(static_cast<uint32_t>(granules));
      granules += static_cast<size_t>(std::popcount(word));
    }
    return granules;
  }

  // Calls visit(number of the granule, first byte) for each granule that overlaps [first, last).
  template <typename Visit>
  void for_each(uint64_t first, uint64_t last, Visit&& visit) const {
    const size_t begin = first / granule_bytes_;
    const size_t end =
        std::min((last + granule_bytes_ - 1) / granule_bytes_, uint64_t{words_.size()} * kWordBits);
    for (size_t w = begin / kWordBits; begin < end && w < words_for(end); ++w) {
      for (uint64_t left = words_[w] & bits_of(w, begin, end); left != 0; left &= left - 1) {
        const int bit = std::countr_zero(left);
        const uint64_t before = words_[w] & ((uint64_t{1} << bit) - 1);
        visit(rank_[w] + static_cast<size_t>(std::popcount(before)),
              (w * kWordBits + static_cast<size_t>(bit)) * granule_bytes_);
      }
    }
  }

 private:
  static constexpr size_t kWordBits = 64;

  static size_t words_for(size_t granules) { return (granules + kWordBits - 1) / kWordBits; }
  // The bits of word `w` for granules in [begin, end).
  static uint64_t bits_of(size_t w, size_t begin, size_t end) {
    uint64_t bits = ~uint64_t{0};
    if (begin > w * kWordBits) bits &= ~uint64_t{0} << (begin - w * kWordBits);
    if (end < (w + 1) * kWordBits) bits &= ~(~uint64_t{0} << (end - w * kWordBits));
    return bits;
  }

  const uint64_t granule_bytes_;
  std::vector<uint64_t> words_;
  std::vector<uint32_t> rank_;  // granules before each word
};

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_WRITTEN_GRANULES_H_
