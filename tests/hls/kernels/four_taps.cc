// SPDX-License-Identifier: Apache-2.0
//
// Four reads of one RAM at fixed distances: interval 4.
#include "tests/hls/kernel.h"

template <uint32_t size = 64>
struct FourTaps {
  HLS_STREAM(int16_t, in, 2);
  HLS_STREAM(int32_t, out, 2);
  HLS_RAM(int16_t, history, size);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < size; ++i) {
      HLS_PIPELINE(1);
      history[i] = 0;
    }
    uint32_t at = 0;
    for (;;) {
      HLS_PIPELINE(4);
      history[at] = in.read();
      const int32_t near = history[(at - 1) & (size - 1)] + history[(at - 2) & (size - 1)];
      const int32_t far = history[(at - 7) & (size - 1)] - history[(at - 30) & (size - 1)];
      out.write(near * 3 + far * 5);
      at = (at + 1) & (size - 1);
    }
  }
};
template struct FourTaps<>;

#ifndef __HLSC__
KERNEL(FourTaps<>) {
  process(&K::run);
  put_any(&K::in, random, 150);
  output(&K::out);
}
#endif
