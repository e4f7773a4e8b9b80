// SPDX-License-Identifier: Apache-2.0
//
// ElementSet: a set of elements of one scratchpad, as bits. The elements that a loop nest accesses
// are sums of offsets, so they are built by shifting sets, in time that does not depend on the
// number of iterations.
#ifndef VTA_RUNTIME_PROGRAM_ELEMENT_SET_H_
#define VTA_RUNTIME_PROGRAM_ELEMENT_SET_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace vta {

class ElementSet {
 public:
  explicit ElementSet(uint32_t depth) : depth_(depth), words_((depth + kBits - 1) / kBits) {}

  uint32_t depth() const { return depth_; }
  void clear() {
    std::fill_n(words_.begin(), (end_ + kBits - 1) / kBits, 0);
    end_ = 0;
  }
  // One past the highest element; 0 if the set is empty.
  uint64_t end() const { return end_; }

  // Adds [first, last). Returns false if it ends beyond the depth; the elements inside are added.
  bool add_range(uint64_t first, uint64_t last) {
    for (uint64_t e = first; e < std::min<uint64_t>(last, depth_); ++e) add(e);
    return last <= depth_;
  }

  // Adds each element of `other`, which has the same depth, plus `offset`. Returns false if one is
  // beyond the depth; the others are added.
  bool add_shifted(const ElementSet& other, uint64_t offset) {
    if (other.end_ == 0) return true;
    if (offset >= depth_) return false;
    const size_t words = offset / kBits, bits = offset % kBits;
    const size_t end = std::min<size_t>((other.end_ + offset - 1) / kBits + 1, words_.size());
    for (size_t w = end; w-- > words;) {
      uint64_t shifted = other.words_[w - words] << bits;
      if (bits != 0 && w > words) shifted |= other.words_[w - words - 1] >> (kBits - bits);
      words_[w] |= shifted;
    }
    trim();
    end_ = std::max(end_, std::min<uint64_t>(other.end_ + offset, depth_));
    return other.end_ + offset <= depth_;
  }

  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (size_t w = 0; w * kBits < end_; ++w) {
      for (uint64_t left = words_[w]; left != 0; left &= left - 1)
        visit(static_cast<uint32_t>(w * kBits + std::countr_zero(left)));
    }
  }

 private:
  static constexpr size_t kBits = 64;

  void add(uint64_t e) {
    words_[e / kBits] |= uint64_t{1} << e % kBits;
    end_ = std::max(end_, e + 1);
  }
  // Clears the bits of the last word beyond the depth.
  void trim() {
    if (depth_ % kBits != 0) words_.back() &= (uint64_t{1} << depth_ % kBits) - 1;
  }

  uint32_t depth_;
  uint64_t end_ = 0;
  std::vector<uint64_t> words_;
};

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_ELEMENT_SET_H_
