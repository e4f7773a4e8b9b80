// SPDX-License-Identifier: Apache-2.0
//
// Access to memory words by 64-bit beats, and shifts.
#ifndef VTA_HW_HLS_LANE_H_
#define VTA_HW_HLS_LANE_H_

#include <cstdint>

namespace hls {

// A word as 64-bit beats: may alias a struct of bytes at any alignment.
typedef uint64_t __attribute__((may_alias, aligned(1))) beat_alias;

template <class Word>
inline void set_beat(Word& word, uint32_t beat_index, uint64_t beat) {
  reinterpret_cast<beat_alias*>(&word)[beat_index] = beat;
}
template <class Word>
inline uint64_t get_beat(const Word& word, uint32_t beat_index) {
  return reinterpret_cast<const beat_alias*>(&word)[beat_index];
}

// x << amount if `left`, else x >> amount arithmetically; amount is 0 to 31.
inline int32_t shift(int32_t x, uint32_t amount, bool left) {
#ifdef __HLSC__
  // One shifter for both directions: a left shift is a right shift of the bit-reversed word.
  const uint32_t mirrored = __builtin_bitreverse32(static_cast<uint32_t>(x));
  const int64_t operand = left ? static_cast<int64_t>(mirrored) : static_cast<int64_t>(x);
  const uint32_t shifted = static_cast<uint32_t>(operand >> amount);
  return static_cast<int32_t>(left ? __builtin_bitreverse32(shifted) : shifted);
#else
  return left ? static_cast<int32_t>(static_cast<uint32_t>(x) << amount) : x >> amount;
#endif
}

// min(|y|, 31): the distance of a signed shift amount.
inline uint32_t distance(int32_t y) {
  const bool negative = y < 0;
#ifdef __HLSC__
  // The complement, which needs no carry chain, is |y| - 1 for a negative y.
  const uint32_t flipped = static_cast<uint32_t>(negative ? ~y : y);
  const uint32_t near = (flipped >> 5) != 0 ? 31 : flipped & 31;
  return near + (negative & (near != 31));
#else
  const uint32_t magnitude = negative ? 0u - static_cast<uint32_t>(y) : static_cast<uint32_t>(y);
  return magnitude > 31 ? 31 : magnitude;
#endif
}

}  // namespace hls

#endif  // VTA_HW_HLS_LANE_H_
