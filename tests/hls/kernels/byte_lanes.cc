// SPDX-License-Identifier: Apache-2.0
//
// Writes bytes to a variable lane of a variable word; reads whole words.
#include "tests/hls/kernel.h"

template <uint32_t lanes = 8>
struct ByteLanes {
  struct Word {
    uint8_t v[lanes];
  };
  HLS_STREAM(uint16_t, in, 2);  // word, lane, byte
  HLS_STREAM(Word, out, 2);
  HLS_RAM(Word, words, 16);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < 16; ++i) {
      HLS_PIPELINE(1);
      Word zero;
      HLS_UNROLL
      for (uint32_t lane = 0; lane < lanes; ++lane) zero.v[lane] = static_cast<uint8_t>(lane);
      words[i] = zero;
    }
    for (;;) {
      for (uint32_t i = 0; i < 40; ++i) {
        HLS_PIPELINE(1);
        const uint16_t x = in.read();
        words[(x >> 12) & 15].v[(x >> 8) & (lanes - 1)] = static_cast<uint8_t>(x);
      }
      for (uint32_t i = 0; i < 16; ++i) {
        HLS_PIPELINE(1);
        out.write(words[i]);
      }
    }
  }
};
template struct ByteLanes<>;

#ifndef __HLSC__
KERNEL(ByteLanes<>) {
  process(&K::run);
  put_any(&K::in, random, 160);
  output(&K::out);
}
#endif
