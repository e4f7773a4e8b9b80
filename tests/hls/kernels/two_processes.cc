// SPDX-License-Identifier: Apache-2.0
//
// A pipeline of two processes with a short stream between them.
#include "tests/hls/kernel.h"

template <class T = int32_t>
struct TwoProcesses {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, between, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS square() {
    for (;;) {
      HLS_PIPELINE(1);
      const T x = in.read() & 0x7fff;
      between.write(x * x);
    }
  }
  HLS_PROCESS add_neighbours() {
    T last = 0;
    for (;;) {
      HLS_PIPELINE(1);
      const T x = between.read();
      out.write((x >> 1) + (last >> 1));
      last = x;
    }
  }
};
template struct TwoProcesses<>;

#ifndef __HLSC__
KERNEL(TwoProcesses<>) {
  process(&K::square);
  process(&K::add_neighbours);
  put_any(&K::in, random, 200);
  output(&K::out);
}
#endif
