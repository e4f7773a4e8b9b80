// SPDX-License-Identifier: Apache-2.0
//
// ArenaImage: builder of the constant first part of a program's arena (packed weights, biases,
// micro-op kernels, instruction streams). Activations follow it.
#ifndef VTA_RUNTIME_PROGRAM_ARENA_IMAGE_H_
#define VTA_RUNTIME_PROGRAM_ARENA_IMAGE_H_

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/program/words_hash.h"

namespace vta {

class ArenaImage {
 public:
  // Appends `bytes` at the next multiple of `alignment_bytes` (a power of two). Returns the
  // offset.
  uint64_t append(std::span<const uint8_t> bytes, uint64_t alignment_bytes);

  // Appends `size_bytes` zeros, to be filled in through the returned span, which is valid until the
  // next call.
  struct Space {
    uint64_t offset_bytes;
    std::span<uint8_t> bytes;
  };
  Space reserve(uint64_t size_bytes, uint64_t alignment_bytes);

  // `space`: the last one reserved, filled in. If an earlier shared space has equal contents, drops
  // this one. Returns the offset of the contents. All calls use the same alignment.
  uint64_t share(const Space& space);

  // As append(), but stores equal contents once: micro-op kernels recur from layer to layer. All
  // calls use the same alignment.
  uint64_t append_once(const std::vector<uint32_t>& words);

  const std::vector<uint8_t>& bytes() const { return bytes_; }
  std::vector<uint8_t> take() { return std::move(bytes_); }

 private:
  struct Shared {
    uint64_t offset_bytes, size_bytes;
  };

  std::vector<uint8_t> bytes_;
  std::unordered_multimap<uint64_t, Shared> shared_;  // by a hash; looked up, never iterated
  std::unordered_map<std::vector<uint32_t>, uint64_t, WordsHash>
      once_;  // looked up, never iterated
};

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_ARENA_IMAGE_H_
