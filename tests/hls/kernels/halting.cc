// SPDX-License-Identifier: Apache-2.0
//
// A process halts at a bad item; the other process continues.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct Halting {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, others, 2);
  HLS_STREAM(T, out, 2);
  HLS_STREAM(T, echo, 2);

  HLS_PROCESS checker() {
    for (;;) {
      const T x = in.read();
      if (x == 77) {
        out.write(0xdead);
        hls::halt();
      }
      out.write(x + 1);
    }
  }
  HLS_PROCESS repeater() {
    for (;;) {
      HLS_PIPELINE(1);
      echo.write(others.read() * 3);
    }
  }
};
template struct Halting<>;

#ifndef __HLSC__
KERNEL(Halting<>) {
  process(&K::checker);
  process(&K::repeater);
  output(&K::out);
  output(&K::echo);
  for (int64_t i = 0, n = random.between(0, 50); i < n; ++i) put(&K::in, random.between(80, 999));
  put(&K::in, 77);
  put_any(&K::others, random, 100);
}
#endif
