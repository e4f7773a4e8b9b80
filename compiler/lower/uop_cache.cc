// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/uop_cache.h"

#include <algorithm>

#include "base/errors/error.h"

namespace vta::lower {

UopCache::UopCache(uint32_t capacity_elems) : capacity_elems_(capacity_elems) {
  VTA_ASSERT(capacity_elems > 0, "a ring of at least one micro-op");
}

UopCache::Places UopCache::place(const std::vector<Kernel>& kernels) {
  Places places;
  std::vector<bool> is_new;
  for (const Kernel& kernel : kernels) {
    VTA_ASSERT(!kernel.empty(), "a kernel has micro-ops");
    is_new.push_back(!find(kernel, places.uop_bgns.emplace_back()));
  }
  // A resident kernel that the new ones would replace is loaded with them.
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    uint32_t size = 0;
    for (size_t i = 0; i < kernels.size(); ++i)
      size += is_new[i] ? static_cast<uint32_t>(kernels[i].size()) : 0;
    VTA_ASSERT(size <= capacity_elems_, "kernels fit the scratchpad");
    places.load_bgn = next_ + size <= capacity_elems_ ? next_ : 0;
    for (size_t i = 0; i < kernels.size(); ++i) {
      const uint32_t begin = places.uop_bgns[i];
      const auto end = begin + static_cast<uint32_t>(kernels[i].size());
      if (is_new[i] || begin >= places.load_bgn + size || end <= places.load_bgn) continue;
      is_new[i] = has_changed = true;
    }
  }
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (!is_new[i]) continue;
    places.uop_bgns[i] = places.load_bgn + static_cast<uint32_t>(places.loaded.size());
    places.loaded.insert(places.loaded.end(), kernels[i].begin(), kernels[i].end());
  }
  if (!places.loaded.empty()) write(places.load_bgn, places.loaded);
  places.is_first_round = is_first_round_;
  return places;
}

bool UopCache::find(const Kernel& kernel, uint32_t& uop_bgn) const {
  bool found = false;
  const auto [begin, end] = elements_of_.equal_range(kernel[0]);
  for (auto at = begin; at != end; ++at) {
    const uint32_t first = at->second;
    if (found && first > uop_bgn) continue;
    if (kernel.size() > words_.size() - first) continue;
    if (!std::equal(kernel.begin(), kernel.end(), words_.begin() + first)) continue;
    uop_bgn = first;
    found = true;
  }
  return found;
}

void UopCache::write(uint32_t first, const Kernel& words) {
  if (first < next_) is_first_round_ = false;
  next_ = first + static_cast<uint32_t>(words.size());
  words_.resize(std::max<size_t>(words_.size(), next_));
  for (uint32_t i = first; i < next_; ++i) {
    const auto [begin, end] = elements_of_.equal_range(words_[i]);
    const auto old = std::find_if(begin, end, [&](const auto& entry) { return entry.second == i; });
    if (old != end) elements_of_.erase(old);
    words_[i] = words[i - first];
    elements_of_.emplace(words_[i], i);
  }
}

}  // namespace vta::lower
