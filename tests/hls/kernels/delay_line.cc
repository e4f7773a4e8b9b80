// SPDX-License-Identifier: Apache-2.0
//
// Delays items by a number of items, which is read first and changes.
#include "tests/hls/kernel.h"

template <uint32_t size = 32>
struct DelayLine {
  HLS_STREAM(uint8_t, delays, 1);
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint32_t, line, size);
  HLS_REGISTER(uint32_t, head);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < size; ++i) {
      HLS_PIPELINE(1);
      line[i] = i;
    }
    for (;;) {
      const uint32_t delay = delays.read();
      for (uint32_t i = 0; i < 20; ++i) {
        HLS_PIPELINE(1);
        const uint32_t at = head & (size - 1);
        out.write(line[(at - delay) & (size - 1)]);
        line[at] = in.read();
        head = at + 1;
      }
    }
  }
};
template struct DelayLine<>;

#ifndef __HLSC__
KERNEL(DelayLine<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 10; ++i) put(&K::delays, i < 5 ? i : random.between(0, 31));
  put_any(&K::in, random, 200);
}
#endif
