// SPDX-License-Identifier: Apache-2.0
//
// Steps to one: a pipelined loop without effects, whose exit is what it computes.
#include "tests/hls/kernel.h"

template <class T = uint64_t>
struct Collatz {
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      T x = in.read();
      uint32_t steps = 0;
      for (; x > 1; ++steps) {
        HLS_PIPELINE(1);
        x = (x & 1) ? x + (x << 1) + 1 : x >> 1;
      }
      out.write(steps);
    }
  }
};
template struct Collatz<>;

#ifndef __HLSC__
KERNEL(Collatz<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 20; ++i) put(&K::in, i < 4 ? i : random.between(1, 1000));
}
#endif
