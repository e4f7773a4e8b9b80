// SPDX-License-Identifier: Apache-2.0
//
// UopCache: the micro-ops that are resident in the UOP scratchpad at a point of a stream.
//
// A kernel is a sequence of encoded micro-ops that a GEMM or ALU instruction uses. It is resident
// if the scratchpad holds its micro-ops in a row, also as a part of what has been loaded for
// others. The scratchpad is a ring: kernels that are not resident are placed after those before
// them, or at the start if they do not fit before the end, and replace what was there. In its first
// round the ring replaces nothing: one LOAD at the start of the stream can load all kernels of that
// round.
#ifndef VTA_COMPILER_LOWER_UOP_CACHE_H_
#define VTA_COMPILER_LOWER_UOP_CACHE_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace vta::lower {

class UopCache {
 public:
  // A scratchpad of `capacity_elems` elements, empty at the start of a stream.
  explicit UopCache(uint32_t capacity_elems);

  using Kernel = std::vector<uint32_t>;  // encoded micro-ops

  struct Places {
    std::vector<uint32_t> uop_bgns;  // by kernel, its first element in the scratchpad
    Kernel loaded;                   // the micro-ops to load as one run; empty: all are resident
    uint32_t load_bgn = 0;           // the first element of that run
    bool is_first_round = true;      // of the ring: the run is right after the one before it
  };

  // Makes all `kernels` resident at once. Asserts that none is empty and that the scratchpad holds
  // all of them.
  Places place(const std::vector<Kernel>& kernels);

 private:
  bool find(const Kernel& kernel, uint32_t& uop_bgn) const;
  void write(uint32_t first, const Kernel& words);

  const uint32_t capacity_elems_;
  uint32_t next_ = 0;
  bool is_first_round_ = true;
  std::vector<uint32_t> words_;  // by element; those that have been loaded
  // The elements that hold a micro-op. Looked up, never iterated as a whole.
  std::unordered_multimap<uint32_t, uint32_t> elements_of_;
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_UOP_CACHE_H_
