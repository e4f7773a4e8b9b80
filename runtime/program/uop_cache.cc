// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/uop_cache.h"

#include <iterator>

#include "runtime/base/error.h"

namespace vta::program {

UopCache::UopCache(ArenaImage& image, uint32_t begin, uint32_t end)
    : image_(image), begin_(begin), end_(end), next_(begin) {
  VTA_ASSERT(begin < end, "a ring of at least one micro-op");
}

UopCache::Place UopCache::place(const std::vector<uint32_t>& kernel) {
  const auto size = static_cast<uint32_t>(kernel.size());
  VTA_ASSERT(size > 0 && size <= capacity_elems(), "a kernel fits the scratchpad");
  // Equal kernels are in DRAM once, hence the offset identifies the content. A kernel that is a
  // prefix of another has its own offset.
  const uint64_t offset = image_.append_once(kernel);
  if (const auto found = first_element_.find(offset); found != first_element_.end()) {
    return {found->second, false, offset};
  }
  if (next_ + size > end_) next_ = begin_;
  const uint32_t first = next_;
  evict(first, first + size);
  residents_[first] = {first + size, offset};
  first_element_[offset] = first;
  next_ = first + size;
  return {first, true, offset};
}

void UopCache::evict(uint32_t first, uint32_t last) {
  auto resident = residents_.lower_bound(first);
  if (resident != residents_.begin() && std::prev(resident)->second.end > first) --resident;
  while (resident != residents_.end() && resident->first < last) {
    first_element_.erase(resident->second.dram_offset_bytes);
    resident = residents_.erase(resident);
  }
}

}  // namespace vta::program
