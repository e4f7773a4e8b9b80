// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/uop_cache.h"

#include <iterator>

#include "runtime/base/error.h"

namespace vta::program {

UopCache::UopCache(uint32_t capacity_elems) : capacity_elems_(capacity_elems) {
  VTA_ASSERT(capacity_elems > 0, "a ring of at least one micro-op");
}

UopCache::Place UopCache::place(const std::vector<uint32_t>& kernel) {
  const auto size = static_cast<uint32_t>(kernel.size());
  VTA_ASSERT(size > 0 && size <= capacity_elems_, "a kernel fits the scratchpad");
  if (const auto found = kernels_.find(kernel); found != kernels_.end()) {
    return {found->second, false, is_first_round_};
  }
  if (next_ + size > capacity_elems_) {
    next_ = 0;
    is_first_round_ = false;
  }
  const uint32_t first = next_;
  evict(first, first + size);
  const auto entry = kernels_.emplace(kernel, first).first;
  residents_[first] = {first + size, &entry->first};
  next_ = first + size;
  return {first, true, is_first_round_};
}

void UopCache::evict(uint32_t first, uint32_t last) {
  auto resident = residents_.lower_bound(first);
  if (resident != residents_.begin() && std::prev(resident)->second.end > first) --resident;
  while (resident != residents_.end() && resident->first < last) {
    kernels_.erase(kernels_.find(*resident->second.kernel));
    resident = residents_.erase(resident);
  }
}

}  // namespace vta::program
