// SPDX-License-Identifier: Apache-2.0
//
// The values of a cycle model: bit vectors of any width, and the operations that C++ has no
// operator for.
#ifndef VTA_SIM_PROCESS_NETWORK_BITS_H_
#define VTA_SIM_PROCESS_NETWORK_BITS_H_

#include <cstdint>

namespace vta::process_network {

// clang's extended integers. Unlike standard integers, narrow ones are not promoted to int.
template <unsigned width>
using bits = unsigned _BitInt(width);

template <unsigned to, unsigned from>
constexpr bits<to> sign_extended(bits<from> x) {
  if constexpr (from == 1) {
    return x != 0 ? static_cast<bits<to>>(~bits<to>(0)) : bits<to>(0);
  } else if constexpr (to == 1) {
    return static_cast<bits<to>>(x);
  } else {
    return static_cast<bits<to>>(
        static_cast<signed _BitInt(to)>(static_cast<signed _BitInt(from)>(x)));
  }
}

// Shifts by any amount: shifting by the width or more gives 0 (or copies of the sign).
template <unsigned width, unsigned n>
constexpr bits<width> shifted_left(bits<width> x, bits<n> amount) {
  return static_cast<uint64_t>(amount) >= width ? bits<width>(0)
                                                : static_cast<bits<width>>(x << amount);
}
template <unsigned width, unsigned n>
constexpr bits<width> shifted_right(bits<width> x, bits<n> amount) {
  return static_cast<uint64_t>(amount) >= width ? bits<width>(0)
                                                : static_cast<bits<width>>(x >> amount);
}
template <unsigned width, unsigned n>
constexpr bits<width> shifted_right_signed(bits<width> x, bits<n> amount) {
  if constexpr (width == 1) {
    return x;
  } else {
    const uint64_t by = static_cast<uint64_t>(amount) >= width ? width - 1 : uint64_t{amount};
    return static_cast<bits<width>>(static_cast<signed _BitInt(width)>(x) >> by);
  }
}

// Signed a < b.
template <unsigned width>
constexpr bool less_signed(bits<width> a, bits<width> b) {
  if constexpr (width == 1) {
    return a > b;
  } else {
    return static_cast<signed _BitInt(width)>(a) < static_cast<signed _BitInt(width)>(b);
  }
}

template <unsigned width>
constexpr bits<width> reversed(bits<width> x) {
  bits<width> result = 0;
  for (unsigned i = 0; i < width; ++i) {
    result = static_cast<bits<width>>((i == 0 ? result : result << 1) | (x & 1));
    if constexpr (width > 1) x >>= 1;
  }
  return result;
}

// Lane `index` of a word; 0 if the word has no such lane.
template <unsigned width, unsigned word_width, unsigned n>
constexpr bits<width> lane(bits<word_width> word, bits<n> index) {
  const uint64_t i = static_cast<uint64_t>(index);
  if (i >= word_width / width) return 0;
  return static_cast<bits<width>>(word >> static_cast<unsigned>(i * width));
}

// `word` with the bits from `offset` on replaced by `value`.
template <unsigned word_width, unsigned width>
constexpr bits<word_width> inserted(bits<word_width> word, bits<width> value, uint64_t offset) {
  if constexpr (width == word_width) {
    return value;
  } else {
    const auto ones = static_cast<bits<word_width>>(static_cast<bits<width>>(~bits<width>(0)));
    const auto mask = static_cast<bits<word_width>>(ones << static_cast<unsigned>(offset));
    const auto bits_there = static_cast<bits<word_width>>(static_cast<bits<word_width>>(value)
                                                          << static_cast<unsigned>(offset));
    return static_cast<bits<word_width>>((word & static_cast<bits<word_width>>(~mask)) |
                                         bits_there);
  }
}

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_BITS_H_
