// SPDX-License-Identifier: Apache-2.0
//
// Lane accesses of which one part becomes constant late: the lane that is written, the word that is
// read.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct KnownLanes {
  struct Word {
    uint8_t v[16];
  };
  HLS_STREAM(T, in, 4);
  HLS_STREAM(T, out, 3);
  HLS_RAM(Word, words, 4);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < 4; ++i) {
      HLS_PIPELINE(1);
      words[i] = Word{};
    }
    for (;;) {
      const T x = in.read();
      for (uint32_t i = 0; i < (x & 1); ++i) {  // always less than 16
        HLS_PIPELINE(1);
        hls::set_beat(words[x >> 1 & 3], i >> 4 & 1, x * 0x100000001ull);
      }
      for (uint32_t i = 0; i < 2; ++i) {
        HLS_PIPELINE(2);
        out.write(words[x >> 1 & 3].v[x >> 3 & 15]);
        words[x >> 8 & 3] = Word{};
        out.write(words[x >> 8 & 3].v[x >> 16 & 15]);
      }
    }
  }
};
template struct KnownLanes<>;

#ifndef __HLSC__
KERNEL(KnownLanes<>) {
  process(&K::run);
  put_any(&K::in, random, 100);
  output(&K::out);
}
#endif
