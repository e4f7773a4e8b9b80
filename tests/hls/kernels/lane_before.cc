// SPDX-License-Identifier: Apache-2.0
//
// A pointer to a lane of a word, and the lane before it. Also a RAM with a name that the cycle
// model uses itself.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct LaneBefore {
  struct Word {
    uint8_t v[4];
  };
  HLS_STREAM(T, in, 2);
  HLS_STREAM(uint8_t, out, 2);
  HLS_RAM(Word, words, 16);
  HLS_RAM(T, bits, 16);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < 16; ++i) {
      HLS_PIPELINE(1);
      words[i] = Word{};
      bits[i] = i;
    }
    for (;;) {
      const T x = in.read();
      const uint32_t word = x & 15, lane = 1 + (x >> 8 & 1);
      uint8_t* const place = &words[word].v[lane];
      place[-1] = static_cast<uint8_t>(x >> 16);
      out.write(words[word].v[lane - 1]);
      const uint8_t* const other = &words[x >> 4 & 15].v[1 + (x >> 12 & 1)];
      out.write(other[-1]);
      out.write((&words[word].v[x >> 20 & 1])[2]);
      bits[word] = bits[x >> 4 & 15] + x;
      out.write(static_cast<uint8_t>(bits[word]));
    }
  }
};
template struct LaneBefore<>;

#ifndef __HLSC__
KERNEL(LaneBefore<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  output(&K::out);
}
#endif
