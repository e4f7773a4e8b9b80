// SPDX-License-Identifier: Apache-2.0
//
// Pointers that depend on run time: range-based loops, iterators, a pointer to the largest entry,
// references and pointers to one of two structs, memories or tables, and lambdas over arrays.
#include "tests/hls/kernel.h"

template <int size = 8>
struct PointerChoices {
  struct Pair {
    uint16_t a, b;
    uint16_t v[4];
  };
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint16_t, out, 2);
  HLS_RAM(uint16_t, first, size);
  HLS_RAM(uint16_t, second, size);

  template <class F>
  HLS_MEMBER uint16_t fold(const uint16_t* values, F combine) {
    uint16_t result = values[0];
    for (int i = 1; i < size; ++i) result = combine(result, values[i]);
    return result;
  }
  HLS_MEMBER const Pair& smaller(const Pair& p, const Pair& q) { return p.a < q.a ? p : q; }

  HLS_PROCESS run() {
    static const uint16_t low[4] = {3, 1, 4, 1}, high[4] = {500, 900, 200, 600};
    Pair p{1, 2, {1, 2, 3, 4}}, q{3, 4, {5, 6, 7, 8}};
    for (uint16_t i = 0; i < size; ++i) {
      first[i] = i;
      second[i] = static_cast<uint16_t>(3 * i);
    }
    for (;;) {
      uint16_t values[size];
      for (uint16_t& value : values) value = in.read();
      const uint16_t x = values[size - 1];
      const Pair chosen = smaller(p, q);
      Pair& changed = (x & 2) != 0 ? p : q;
      changed.v[x & 3] = static_cast<uint16_t>(changed.v[x & 3] + chosen.v[(x >> 2) & 3]);
      changed.a ^= chosen.b;
      out.write(changed.a ^ changed.v[1]);
      uint16_t& word =
          (x & 4) != 0 ? first[(x >> 13) & (size - 1)] : second[(x >> 10) & (size - 1)];
      word = static_cast<uint16_t>(word + x);
      out.write(word);
      const uint16_t* table = (x & 8) != 0 ? low : high;
      out.write(table[(x >> 4) & 3]);
      const uint16_t* largest = values;
      for (const uint16_t* at = values + 1; at < values + size; ++at)
        if (*at > *largest) largest = at;
      out.write(static_cast<uint16_t>(*largest + (largest - values)));
      const uint16_t* last = values + size;
      while (last != values && *--last < 30000) continue;
      out.write(static_cast<uint16_t>(last - values));
      out.write(
          fold(values, [x](uint16_t a, uint16_t b) -> uint16_t { return a > b ? a : b ^ x; }));
    }
  }
};
template struct PointerChoices<>;

#ifndef __HLSC__
KERNEL(PointerChoices<>) {
  process(&K::run);
  output(&K::out);
  put_any(&K::in, random, 8 * 20);
}
#endif
