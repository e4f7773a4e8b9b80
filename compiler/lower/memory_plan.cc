// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/memory_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/numbers/round_up.h"

namespace vta::lower {

MemoryPlan plan_memory(const std::vector<Lifetime>& lifetimes, uint64_t alignment_bytes) {
  std::vector<size_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, [&](size_t a, size_t b) {
    return std::pair(lifetimes[b].size_bytes, a) < std::pair(lifetimes[a].size_bytes, b);
  });

  MemoryPlan plan;
  plan.offsets_bytes.resize(lifetimes.size());
  std::vector<size_t> placed;  // by offset
  for (size_t index : order) {
    const Lifetime& own = lifetimes[index];
    uint64_t offset = 0;
    for (size_t other : placed) {
      const Lifetime& theirs = lifetimes[other];
      if (theirs.last < own.first || own.last < theirs.first) continue;
      if (offset + own.size_bytes <= plan.offsets_bytes[other]) break;
      const uint64_t end = plan.offsets_bytes[other] + theirs.size_bytes;
      offset = std::max(offset, round_up(end, alignment_bytes));
    }
    plan.offsets_bytes[index] = offset;
    plan.size_bytes = std::max(plan.size_bytes, offset + own.size_bytes);
    const auto position = std::ranges::upper_bound(placed, offset, {},
                                                   [&](size_t i) { return plan.offsets_bytes[i]; });
    placed.insert(position, index);
  }
  return plan;
}

}  // namespace vta::lower
