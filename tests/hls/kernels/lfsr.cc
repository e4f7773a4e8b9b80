// SPDX-License-Identifier: Apache-2.0
//
// Pseudo-random bits: a loop that only counts and shifts, with a variable trip count.
#include "tests/hls/kernel.h"

template <uint32_t taps = 0x80200003>
struct Lfsr {
  HLS_STREAM(uint32_t, seeds, 1);
  HLS_STREAM(uint8_t, steps, 1);
  HLS_STREAM(uint32_t, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      uint32_t state = seeds.read();
      const uint8_t n = steps.read();
      for (uint8_t i = 0; i < n; ++i) {
        HLS_PIPELINE(1);
        state = (state >> 1) ^ ((0 - (state & 1)) & taps);
      }
      out.write(state);
    }
  }
};
template struct Lfsr<>;

#ifndef __HLSC__
KERNEL(Lfsr<>) {
  process(&K::run);
  put_any(&K::seeds, random, 20);
  put_any(&K::steps, random, 20);
  output(&K::out);
}
#endif
