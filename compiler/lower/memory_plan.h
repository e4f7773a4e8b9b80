// SPDX-License-Identifier: Apache-2.0
//
// MemoryPlan: offsets of tensors in a shared arena, by lifetime.
#ifndef VTA_COMPILER_LOWER_MEMORY_PLAN_H_
#define VTA_COMPILER_LOWER_MEMORY_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vta::lower {

// A tensor that program step `first` writes and step `last` is the last to read. The result of a
// step does not overlap its operands.
struct Lifetime {
  uint64_t size_bytes = 0;
  size_t first = 0, last = 0;
};

struct MemoryPlan {
  std::vector<uint64_t> offsets_bytes;  // of each lifetime, multiples of the alignment
  uint64_t size_bytes = 0;
};

// Greedy by size: larger tensors first, each at the lowest offset at which it overlaps no tensor of
// an overlapping lifetime.
MemoryPlan plan_memory(const std::vector<Lifetime>& lifetimes, uint64_t alignment_bytes);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_MEMORY_PLAN_H_
