// SPDX-License-Identifier: Apache-2.0
//
// UopCache: which micro-op kernels the UOP scratchpad holds at a point of one instruction stream.
//
// A kernel is a run of encoded micro-ops that one GEMM or ALU instruction uses. Kernels are known
// by their content; the scratchpad is a ring. A kernel that is not resident goes behind the one
// placed before it, or to the start where it does not fit before the end; residents are evicted
// exactly where they are overwritten.
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
  // Uses the scratchpad's elements [begin, end). A new stream starts with nothing resident.
  UopCache(ArenaImage& image, uint32_t begin, uint32_t end);

  struct Place {
    uint32_t uop_bgn;            // first element in the scratchpad
    bool must_load;              // the caller loads it from DRAM before its next use
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
  std::map<uint32_t, Resident> residents_;                // by first element
  std::unordered_map<uint64_t, uint32_t> first_element_;  // by DRAM offset, which names the content
};

}  // namespace vta::program

#endif  // VTA_RUNTIME_PROGRAM_UOP_CACHE_H_
