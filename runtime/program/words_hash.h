// SPDX-License-Identifier: Apache-2.0
//
// WordsHash: a hash of sequences of words, for containers that identify micro-op kernels by their
// content.
#ifndef VTA_RUNTIME_PROGRAM_WORDS_HASH_H_
#define VTA_RUNTIME_PROGRAM_WORDS_HASH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vta {

// FNV-1a over words.
struct WordsHash {
  size_t operator()(const std::vector<uint32_t>& words) const {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t word : words) hash = (hash ^ word) * 0x100000001b3u;
    return hash;
  }
};

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_WORDS_HASH_H_
