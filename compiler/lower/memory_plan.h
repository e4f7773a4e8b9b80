// SPDX-License-Identifier: Apache-2.0
//
// MemoryPlan: places for tensors that live for a part of a program's steps; places are used again.
#ifndef VTA_COMPILER_LOWER_MEMORY_PLAN_H_
#define VTA_COMPILER_LOWER_MEMORY_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vta::lower {

// A tensor that is written in step `first` and last read in step `last`. In one step nothing is
// overwritten that the step reads.
struct Lifetime {
  uint64_t size_bytes = 0;
  size_t first = 0, last = 0;
};

struct MemoryPlan {
  std::vector<uint64_t> offsets_bytes;  // of each lifetime, multiples of the alignment
  uint64_t size_bytes = 0;
};

// Larger tensors first, each at the lowest offset where it overlaps none that lives at the same
// time.
MemoryPlan plan_memory(const std::vector<Lifetime>& lifetimes, uint64_t alignment_bytes);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_MEMORY_PLAN_H_
