// SPDX-License-Identifier: Apache-2.0
//
// UopCache: the micro-op kernels that are resident in the UOP scratchpad at a point of a stream.
//
// A kernel is a sequence of encoded micro-ops that GEMM or ALU instructions use; kernels are
// identified by content. The scratchpad is a ring: a kernel that is not resident is placed after
// the previous one, or at the start if it does not fit before the end, and evicts the kernels that
// it overwrites. In its first round the ring evicts nothing: one LOAD at the start of the stream
// can load all kernels of that round.
#ifndef VTA_RUNTIME_PROGRAM_UOP_CACHE_H_
#define VTA_RUNTIME_PROGRAM_UOP_CACHE_H_

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "runtime/program/words_hash.h"

namespace vta::program {

class UopCache {
 public:
  // A scratchpad of `capacity_elems` elements, empty at the start of a stream.
  explicit UopCache(uint32_t capacity_elems);

  struct Place {
    uint32_t uop_bgn;     // first element in the scratchpad
    bool is_new;          // it was not resident
    bool is_first_round;  // of the ring: if it is new, it is right after the kernel before it
  };

  // Makes `kernel` resident. Asserts that it is not empty and not longer than the scratchpad.
  Place place(const std::vector<uint32_t>& kernel);

 private:
  void evict(uint32_t first, uint32_t last);

  struct Resident {
    uint32_t end;
    const std::vector<uint32_t>* kernel;  // key of kernels_
  };

  const uint32_t capacity_elems_;
  uint32_t next_ = 0;
  bool is_first_round_ = true;
  std::map<uint32_t, Resident> residents_;  // by first element
  // First elements of resident kernels. Looked up, never iterated.
  std::unordered_map<std::vector<uint32_t>, uint32_t, WordsHash> kernels_;
};

}  // namespace vta::program

#endif  // VTA_RUNTIME_PROGRAM_UOP_CACHE_H_
