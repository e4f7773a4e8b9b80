// SPDX-License-Identifier: Apache-2.0
//
// FIR filter with a delay line of registers, one item a cycle.
#include "tests/hls/kernel.h"

template <int taps = 8>
struct Fir {
  struct Line {
    int16_t v[taps];
  };
  HLS_STREAM(int16_t, in, 4);
  HLS_STREAM(int32_t, out, 4);
  HLS_REGISTER(Line, line);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const int16_t x = in.read();
      int32_t sum = x * 3;
      HLS_UNROLL
      for (int i = taps - 1; i > 0; --i) {
        sum += line.v[i] * (2 * i - 7);
        line.v[i] = line.v[i - 1];
      }
      sum += line.v[0] * 5;
      line.v[0] = x;
      out.write(sum);
    }
  }
};
template struct Fir<>;

#ifndef __HLSC__
KERNEL(Fir<>) {
  process(&K::run);
  put_any(&K::in, random, 300);
  output(&K::out);
}
#endif
