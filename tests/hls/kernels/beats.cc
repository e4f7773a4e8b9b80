// SPDX-License-Identifier: Apache-2.0
//
// Packs 64-bit beats into wide words, and unpacks the words into beats in another order.
#include "tests/hls/kernel.h"

template <uint32_t beats = 4>
struct Beats {
  struct Word {
    int8_t v[beats * 8];
  };
  HLS_STREAM(uint64_t, in, 2);
  HLS_STREAM(uint64_t, out, 2);
  HLS_RAM(Word, words, 8);

  HLS_PROCESS run() {
    for (;;) {
      for (uint32_t i = 0; i < 8; ++i) {
        for (uint32_t beat = 0; beat < beats; ++beat) {
          HLS_PIPELINE(1);
          hls::set_beat(words[i], beat, in.read());
        }
      }
      for (uint32_t beat = 0; beat < beats; ++beat) {
        for (uint32_t i = 0; i < 8; ++i) {
          HLS_PIPELINE(1);
          out.write(hls::get_beat(words[7 - i], beat));
        }
      }
    }
  }
};
template struct Beats<>;

#ifndef __HLSC__
KERNEL(Beats<>) {
  process(&K::run);
  put_any(&K::in, random, 4 * 32);
  output(&K::out);
}
#endif
