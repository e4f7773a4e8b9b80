// SPDX-License-Identifier: Apache-2.0
//
// Read-modify-write of two words, alternating and in runs; the update has a multiplication.
#include "tests/hls/kernel.h"

template <uint32_t size = 4>
struct BackToBack {
  HLS_STREAM(uint32_t, in, 4);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint32_t, memory, size);

  HLS_PROCESS run() {
    for (;;) {
      for (uint32_t i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        memory[i] = i;
      }
      for (uint32_t i = 0; i < 60; ++i) {
        HLS_PIPELINE(1);
        const uint32_t x = in.read();
        const uint32_t product = (x & 0xffff) * (x >> 16);
        memory[x & (size - 1)] += product;
      }
      for (uint32_t i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        out.write(memory[i]);
      }
    }
  }
};
template struct BackToBack<>;

#ifndef __HLSC__
KERNEL(BackToBack<>) {
  process(&K::run);
  put_any(&K::in, random, 240);
  output(&K::out);
}
#endif
