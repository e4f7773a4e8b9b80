// SPDX-License-Identifier: Apache-2.0
//
// Double buffering in two halves of a RAM: one process fills, one drains, tokens pass ownership.
#include "tests/hls/kernel.h"

template <uint32_t size = 8>
struct PingPong {
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint32_t, buffer, 2 * size);
  HLS_TOKENS(filled, 2);
  HLS_TOKENS(drained, 2);

  HLS_PROCESS fill() {
    uint32_t blocks = 0;
    for (;;) {
      const uint32_t first = in.read();
      if (blocks >= 2) drained.pop();
      const uint32_t base = (blocks & 1) * size;
      for (uint32_t i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        buffer[base + i] = in.read() + first;
      }
      filled.push();
      blocks++;
    }
  }
  HLS_PROCESS drain() {
    uint32_t half = 0;
    for (;;) {
      filled.pop();
      for (uint32_t i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        out.write(buffer[half * size + (size - 1 - i)]);
      }
      drained.push();
      half ^= 1;
    }
  }
};
template struct PingPong<>;

#ifndef __HLSC__
KERNEL(PingPong<>) {
  process(&K::fill);
  process(&K::drain);
  put_any(&K::in, random, 15 * 9);
  output(&K::out);
}
#endif
