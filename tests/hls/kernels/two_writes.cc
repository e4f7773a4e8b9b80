// SPDX-License-Identifier: Apache-2.0
//
// A word is read in the cycle of the first of two writes, which may be of the same word: the read
// returns the old word.
#include "tests/hls/kernel.h"

template <uint32_t words = 4>
struct TwoWrites {
  HLS_STREAM(uint8_t, in, 2);
  HLS_STREAM(uint8_t, out, 2);
  HLS_RAM(uint8_t, memory, words);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(2);
      const uint8_t x = in.read();
      const uint8_t before = memory[x & 3];
      memory[(x >> 2) & 3] = x;
      memory[(x >> 4) & 3] = static_cast<uint8_t>(x + before);
      out.write(before);
    }
  }
};
template struct TwoWrites<>;

#ifndef __HLSC__
KERNEL(TwoWrites<>) {
  process(&K::run);
  put_any(&K::in, random, 120);
  output(&K::out);
}
#endif
