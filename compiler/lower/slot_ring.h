// SPDX-License-Identifier: Apache-2.0
//
// SlotRing: the slots of INP or WGT, taken in turn, and the chunk that each holds.
#ifndef VTA_COMPILER_LOWER_SLOT_RING_H_
#define VTA_COMPILER_LOWER_SLOT_RING_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/lower/transfer.h"

namespace vta::lower {

class SlotRing {
 public:
  struct Slot {
    uint32_t base = 0;  // first element
    int64_t chunk = -1;
  };

  // Divides the first `depth` elements of INP or WGT. Starts with the slot that the stream has not
  // used for the longest time, so that the first loads overlap with the end of the layer before.
  // For the same reason a single slot may be at the end of them. More slots are always at the
  // start, so that their micro-ops recur from layer to layer.
  SlotRing(isa::MemoryId memory, int64_t depth, int64_t slots, int64_t slot_elems,
           const StreamBuilder& stream) {
    uint32_t oldest_access = UINT32_MAX;
    int64_t first = 0;
    const int64_t end = slots == 1 ? depth - slot_elems : 0;
    for (const int64_t begin : {int64_t{0}, end}) {
      for (int64_t i = 0; i < slots; ++i) {
        const uint32_t access =
            stream.last_access(memory, u32(begin + i * slot_elems), u32(slot_elems));
        if (access >= oldest_access) continue;
        oldest_access = access;
        first = begin;
        next_ = static_cast<size_t>(i);
      }
    }
    for (int64_t i = 0; i < slots; ++i) slots_.push_back({.base = u32(first + i * slot_elems)});
  }

  bool holds(int64_t chunk) const {
    return std::ranges::any_of(slots_, [&](const Slot& slot) { return slot.chunk == chunk; });
  }

  // The slot that holds `chunk`, else the next slot in turn; the caller loads the chunk then.
  Slot& find_or_take(int64_t chunk) {
    for (Slot& slot : slots_) {
      if (slot.chunk == chunk) return slot;
    }
    return slots_[std::exchange(next_, (next_ + 1) % slots_.size())];
  }

 private:
  std::vector<Slot> slots_;
  size_t next_ = 0;
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_SLOT_RING_H_
