// SPDX-License-Identifier: Apache-2.0
//
// Loops that test at their end or read in their condition; a counter that runs down.
#include "tests/hls/kernel.h"

template <class T = int32_t>
struct DoWhile {
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      uint16_t x = in.read();
      T digits = 0;
      do {
        HLS_PIPELINE(1);
        digits++;
        x = static_cast<uint16_t>(x >> 3);
      } while (x != 0);
      T sum = 0;
      uint16_t y;
      while ((y = in.read()) & 1) sum += y;
      for (T i = digits - 1; i >= 0; --i) {
        HLS_PIPELINE(1);
        out.write(sum - i);
      }
    }
  }
};
template struct DoWhile<>;

#ifndef __HLSC__
KERNEL(DoWhile<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  output(&K::out);
}
#endif
