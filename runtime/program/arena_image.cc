// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/arena_image.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <string_view>
#include <utility>

#include "base/errors/error.h"
#include "base/numbers/round_up.h"

namespace vta {

static_assert(std::endian::native == std::endian::little, "images hold little-endian words");

// A DMA burst starts on a 64-bit beat.
constexpr uint64_t kWordsAlignmentBytes = 8;

ArenaImage::Space ArenaImage::reserve(uint64_t size_bytes, uint64_t alignment_bytes) {
  VTA_ASSERT(std::has_single_bit(alignment_bytes), "alignments are powers of two");
  const uint64_t offset = round_up(bytes_.size(), alignment_bytes);
  bytes_.resize(offset + size_bytes);
  return {offset, std::span(bytes_).subspan(offset, size_bytes)};
}

uint64_t ArenaImage::append(std::span<const uint8_t> bytes, uint64_t alignment_bytes) {
  const Space space = reserve(bytes.size(), alignment_bytes);
  std::ranges::copy(bytes, space.bytes.begin());
  return space.offset_bytes;
}

uint64_t ArenaImage::share(const Space& space) {
  const std::string_view contents(reinterpret_cast<const char*>(space.bytes.data()),
                                  space.bytes.size());
  const uint64_t hash = std::hash<std::string_view>()(contents);
  const auto [begin, end] = shared_.equal_range(hash);
  for (auto entry = begin; entry != end; ++entry) {
    const Shared& earlier = entry->second;
    const auto bytes = std::span(bytes_).subspan(earlier.offset_bytes, earlier.size_bytes);
    if (!std::ranges::equal(bytes, space.bytes)) continue;
    bytes_.resize(space.offset_bytes);
    return earlier.offset_bytes;
  }
  shared_.emplace(hash, Shared{space.offset_bytes, space.bytes.size()});
  return space.offset_bytes;
}

uint64_t ArenaImage::append_once(const std::vector<uint32_t>& words) {
  const auto [entry, is_new] = once_.try_emplace(words, 0);
  if (is_new) {
    const auto* first = reinterpret_cast<const uint8_t*>(words.data());
    entry->second = append({first, words.size() * sizeof(uint32_t)}, kWordsAlignmentBytes);
  }
  return entry->second;
}

}  // namespace vta
