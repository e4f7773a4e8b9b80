// SPDX-License-Identifier: Apache-2.0
//
// WrittenRanges: the DRAM that the stores of a stream write, the only DRAM for which stages can
// race, divided into granules.
#ifndef VTA_RUNTIME_PROGRAM_WRITTEN_RANGES_H_
#define VTA_RUNTIME_PROGRAM_WRITTEN_RANGES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace vta::program {

class WrittenRanges {
 public:
  // `granule_bytes` divides the bounds of every range that is added.
  explicit WrittenRanges(uint64_t granule_bytes) : granule_bytes_(granule_bytes) {}

  // Adds bytes [first, last).
  void add(uint64_t first, uint64_t last) {
    if (!ranges_.empty() && ranges_.back().last == first) {
      ranges_.back().last = last;
      return;
    }
    ranges_.push_back({first, last, 0});
    if (ranges_.size() >= merge_at_) {
      merge();
      merge_at_ = std::max(kMinMergeAt, 2 * ranges_.size());
    }
  }

  // Call once after the last add(). Returns the number of granules in all ranges.
  size_t close() {
    merge();
    size_t granules = 0;
    for (Range& range : ranges_) {
      range.granule = granules;
      granules += (range.last - range.first) / granule_bytes_;
    }
    return granules;
  }

  // Calls visit(granule, first byte) for each granule that overlaps [first, last).
  template <typename Visit>
  void for_each(uint64_t first, uint64_t last, Visit&& visit) const {
    auto range = std::ranges::upper_bound(ranges_, first, {}, &Range::last);
    for (; range != ranges_.end() && range->first < last; ++range) {
      const uint64_t from = std::max(first, range->first) - range->first;
      const uint64_t to = std::min(last, range->last) - range->first;
      for (uint64_t g = from / granule_bytes_; g * granule_bytes_ < to; ++g)
        visit(range->granule + g, range->first + g * granule_bytes_);
    }
  }

 private:
  struct Range {
    uint64_t first, last;
    size_t granule;
  };
  static constexpr size_t kMinMergeAt = size_t{1} << 16;

  void merge() {
    std::ranges::sort(ranges_, {}, &Range::first);
    std::vector<Range> merged;
    for (const Range& range : ranges_) {
      if (!merged.empty() && range.first <= merged.back().last) {
        merged.back().last = std::max(merged.back().last, range.last);
      } else {
        merged.push_back(range);
      }
    }
    ranges_ = std::move(merged);
  }

  const uint64_t granule_bytes_;
  std::vector<Range> ranges_;
  size_t merge_at_ = kMinMergeAt;
};

}  // namespace vta::program

#endif  // VTA_RUNTIME_PROGRAM_WRITTEN_RANGES_H_
