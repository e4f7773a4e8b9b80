// SPDX-License-Identifier: Apache-2.0
//
// FIR filter with a local delay line: loop-carried values that come from stream reads.
#include "tests/hls/kernel.h"

template <int taps = 4>
struct FirLocals {
  HLS_STREAM(int16_t, in, 2);
  HLS_STREAM(int32_t, out, 2);

  HLS_PROCESS run() {
    int16_t line[taps] = {};
    for (;;) {
      HLS_PIPELINE(1);
      HLS_UNROLL
      for (int i = taps - 1; i > 0; --i) line[i] = line[i - 1];
      line[0] = in.read();
      int32_t sum = 0;
      HLS_UNROLL
      for (int i = 0; i < taps; ++i) sum += line[i] * (i + 1);
      out.write(sum);
    }
  }
};
template struct FirLocals<>;

#ifndef __HLSC__
KERNEL(FirLocals<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  output(&K::out);
}
#endif
