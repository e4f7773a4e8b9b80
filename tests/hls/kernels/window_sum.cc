// SPDX-License-Identifier: Apache-2.0
//
// The sum of the last sixteen items: the item that leaves the window is read from a RAM.
#include "tests/hls/kernel.h"

template <uint32_t size = 16>
struct WindowSum {
  HLS_STREAM(int16_t, in, 2);
  HLS_STREAM(int32_t, out, 2);
  HLS_RAM(int16_t, window, size);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < size; ++i) {
      HLS_PIPELINE(1);
      window[i] = 0;
    }
    int32_t sum = 0;
    uint32_t at = 0;
    for (;;) {
      HLS_PIPELINE(1);
      const int16_t x = in.read();
      sum += x - window[at];
      window[at] = x;
      at = (at + 1) & (size - 1);
      out.write(sum);
    }
  }
};
template struct WindowSum<>;

#ifndef __HLSC__
KERNEL(WindowSum<>) {
  process(&K::run);
  put_any(&K::in, random, 250);
  output(&K::out);
}
#endif
