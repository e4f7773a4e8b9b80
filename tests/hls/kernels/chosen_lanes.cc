// SPDX-License-Identifier: Apache-2.0
//
// Pointers to lanes of RAM words that depend on run time: range-based loops over the lanes of a
// word, references to a lane of one of two RAMs, and steps from them.
#include "tests/hls/kernel.h"

template <uint32_t size = 16>
struct ChosenLanes {
  struct Word {
    uint16_t v[4];
  };
  struct Triple {
    uint16_t v[3];
  };
  struct Pair {
    uint16_t a, b;
  };
  struct Pairs {
    Pair v[2];
  };
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint16_t, out, 2);
  HLS_RAM(Word, m, size);
  HLS_RAM(Word, n, size);
  HLS_RAM(Triple, triples, size);
  HLS_RAM(Pairs, pairs, size);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < size; ++i) {
      for (uint16_t& x : m[i].v) x = in.read();
      for (uint16_t& x : triples[i].v) x = in.read();
      n[i] = Word{};
      pairs[i] = Pairs{};
    }
    for (;;) {
      const uint16_t x = in.read();
      const uint32_t i = x & 15, j = (x >> 4) & 15, a = (x >> 8) & 3, b = (x >> 10) & 3;
      uint16_t& lane = (x & 0x8000) != 0 ? m[i].v[a] : n[j].v[b];
      lane = static_cast<uint16_t>(lane + x);
      out.write(m[i].v[a]);
      out.write(n[j].v[b]);
      uint16_t sum = 0;
      for (const uint16_t& one : triples[j].v) sum = static_cast<uint16_t>(3 * sum + one);
      out.write(sum);
      // Variable steps forward, and back from the end of a word.
      const uint16_t* const from = (x & 0x4000) != 0 ? &m[j].v[1] : n[i].v;
      out.write(from[b & 1]);
      const uint16_t* const end = (x & 0x2000) != 0 ? m[i].v + 4 : n[j].v + 3;
      out.write(end[-1 - static_cast<int>(a & 1)]);
      const uint16_t* last = m[j].v + 4;
      while (last != m[j].v && *--last < 30000) continue;
      out.write(static_cast<uint16_t>(last - m[j].v));
      // A constant step in a struct of the word.
      Pair& pair = (x & 0x1000) != 0 ? pairs[i].v[a & 1] : pairs[j].v[b & 1];
      pair.b = static_cast<uint16_t>(pair.b + x);
      pair.a ^= pair.b;
      out.write(pairs[i].v[a & 1].a);
      out.write(pairs[j].v[b & 1].b);
    }
  }
};
template struct ChosenLanes<>;

#ifndef __HLSC__
KERNEL(ChosenLanes<>) {
  process(&K::run);
  output(&K::out);
  put_any(&K::in, random, 16 * 7 + 60);
}
#endif
