// SPDX-License-Identifier: Apache-2.0
//
// UopCache: the micro-op kernels that are resident in the UOP scratchpad at a point of a stream.
//
// A kernel is a sequence of encoded micro-ops that GEMM or ALU instructions use; kernels are
// identified by content. The scratchpad is a ring: a kernel that is not resident is placed after
// the previous one, or at the start if it does not fit before the end, and evicts the kernels that
// it overwrites.
#ifndef VTA_RUNTIME_PROGRAM_UOP_CACHE_H_
#define VTA_RUNTIME_PROGRAM_UOP_CACHE_H_

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "runtime/program/arena_image.h"

namespace vta::program {

class UopCache {
 public:
  // Uses the scratchpad's elements [begin, end). At the start of a stream no kernel is resident.
  UopCache(ArenaImage& image, uint32_t begin, uint32_t end);

  struct Place {
    uint32_t uop_bgn;            // first element in the scratchpad
    bool must_load;              // the caller must load it from DRAM
    uint64_t dram_offset_bytes;  // in the arena
  };

  // Makes `kernel` resident. Asserts that it is not empty and not longer than the ring.
  Place place(const std::vector<uint32_t>& kernel);

  uint32_t capacity_elems() const { return end_ - begin_; }

 private:
  void evict(uint32_t first, uint32_t last);

  struct Resident {
    uint32_t end;
    uint64_t dram_offset_bytes;
  };

  ArenaImage& image_;
  const uint32_t begin_, end_;
  uint32_t next_;
  std::map<uint32_t, Resident> residents_;  // by first element
  std::unordered_map<uint64_t, uint32_t>
      first_element_;  // by DRAM offset, which identifies the content
};

}  // namespace vta::program

#endif  // VTA_RUNTIME_PROGRAM_UOP_CACHE_H_
