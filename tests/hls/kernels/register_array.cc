// SPDX-License-Identifier: Apache-2.0
//
// Arrays as registers with variable indexes (a complete partition): a shift register with a
// variable tap, counters of structs in two dimensions, thresholds that start at other values than
// 0.
#include "tests/hls/kernel.h"

template <int length = 6>
struct RegisterArray {
  struct Counter {
    uint8_t hits;
    int16_t sum;
  };
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(int32_t, out, 2);
  HLS_REGISTER(int16_t, last[length]);
  HLS_REGISTER(Counter, counters[2][3]);
  HLS_REGISTER(uint16_t, limits[4]) = { 100, 1000, 0, 60000 };

  HLS_PROCESS run() {
    for (;;) {
      const uint16_t item = in.read();
      HLS_UNROLL
      for (int i = length - 1; i > 0; --i) last[i] = last[i - 1];
      last[0] = static_cast<int16_t>(item);
      const uint16_t tap = item % length, row = item >> 8 & 1, column = tap % 3;
      counters[row][column].hits++;
      counters[row][column].sum += last[tap];
      if (item > limits[item & 3]) limits[item & 3] = static_cast<uint16_t>(item - 7);
      out.write(counters[row ^ 1][column].sum + counters[row][2 - column].hits + last[tap ^ 1] +
                limits[tap & 3] + limits[1]);
    }
  }
};
template struct RegisterArray<>;

#ifndef __HLSC__
KERNEL(RegisterArray<>) {
  process(&K::run);
  put_any(&K::in, random, 150);
  output(&K::out);
}
#endif
