// SPDX-License-Identifier: Apache-2.0
//
// Sorts blocks in a RAM: a loop whose exit depends on a memory word.
#include "tests/hls/kernel.h"

template <uint32_t size = 12>
struct InsertionSort {
  HLS_STREAM(int16_t, in, 2);
  HLS_STREAM(int16_t, out, 2);
  HLS_RAM(int16_t, sorted, size);

  HLS_PROCESS run() {
    for (;;) {
      for (uint32_t filled = 0; filled < size; ++filled) {
        const int16_t x = in.read();
        uint32_t place = filled;
        bool larger = place != 0;
        while (larger) {
          const int16_t y = sorted[place - 1];
          larger = y > x;
          if (larger) {
            sorted[place] = y;
            place--;
            larger = place != 0;
          }
        }
        sorted[place] = x;
      }
      for (uint32_t i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        out.write(sorted[i]);
      }
    }
  }
};
template struct InsertionSort<>;

#ifndef __HLSC__
KERNEL(InsertionSort<>) {
  process(&K::run);
  put_any(&K::in, random, 60);
  output(&K::out);
}
#endif
