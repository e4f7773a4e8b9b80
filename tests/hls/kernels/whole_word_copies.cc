// SPDX-License-Identifier: Apache-2.0
//
// Copies whole words from RAM to RAM, to a register and back.
#include "tests/hls/kernel.h"

template <uint32_t lanes = 8>
struct WholeWordCopies {
  struct Word {
    int32_t v[lanes];
  };
  HLS_STREAM(Word, in, 2);
  HLS_STREAM(uint8_t, orders, 2);
  HLS_STREAM(Word, out, 2);
  HLS_RAM(Word, left, 8);
  HLS_RAM(Word, right, 8);
  HLS_REGISTER(Word, hand);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < 8; ++i) {
      HLS_PIPELINE(1);
      left[i] = in.read();
      right[i] = left[i];
    }
    for (;;) {
      HLS_PIPELINE(2);
      const uint8_t order = orders.read();
      const uint32_t a = order & 7, b = (order >> 3) & 7;
      if ((order >> 6) == 0) left[a] = right[b];
      if ((order >> 6) == 1) hand = left[a];
      if ((order >> 6) == 2) right[b] = hand;
      if ((order >> 6) == 3) out.write(left[a]);
    }
  }
};
template struct WholeWordCopies<>;

#ifndef __HLSC__
KERNEL(WholeWordCopies<>) {
  process(&K::run);
  put_any(&K::in, random, 8);
  put_any(&K::orders, random, 300);
  output(&K::out);
}
#endif
