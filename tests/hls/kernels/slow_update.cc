// SPDX-License-Identifier: Apache-2.0
//
// Read-modify-write whose new value takes several stages: writes are pending in between.
#include "tests/hls/kernel.h"

template <uint32_t size = 8>
struct SlowUpdate {
  HLS_STREAM(uint32_t, in, 4);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint32_t, memory, size);

  HLS_PROCESS run() {
    for (;;) {
      for (uint32_t i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        memory[i] = i + 1;
      }
      for (uint32_t i = 0; i < 50; ++i) {
        HLS_PIPELINE(4);
        const uint32_t x = in.read();
        const uint32_t old = memory[x & (size - 1)];
        memory[x & (size - 1)] = (old * old + x) ^ (old >> 7);
      }
      for (uint32_t i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        out.write(memory[i]);
      }
    }
  }
};
template struct SlowUpdate<>;

#ifndef __HLSC__
KERNEL(SlowUpdate<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  output(&K::out);
}
#endif
