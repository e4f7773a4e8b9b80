// SPDX-License-Identifier: Apache-2.0
//
// Sixteen steps of a bitwise square root, once unrolled and once as a loop.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct SquareRoot {
  struct Two {
    uint32_t unrolled, loop;
  };
  HLS_STREAM(T, in, 2);
  HLS_STREAM(Two, out, 2);

  static void step(T& rest, T& root, T bit) {
    const T trial = root + bit;
    const bool fits = rest >= trial;
    rest = fits ? rest - trial : rest;
    root = (root >> 1) + (fits ? bit : 0);
  }
  HLS_PROCESS run() {
    for (;;) {
      const T x = in.read();
      T rest = x, root = 0;
      HLS_UNROLL
      for (int i = 30; i >= 0; i -= 2) step(rest, root, T(1) << i);
      T rest_2 = x, root_2 = 0;
      for (T bit = T(1) << 30; bit != 0; bit >>= 2) step(rest_2, root_2, bit);
      out.write(Two{root, root_2});
    }
  }
};
template struct SquareRoot<>;

#ifndef __HLSC__
KERNEL(SquareRoot<>) {
  process(&K::run);
  put_any(&K::in, random, 30);
  output(&K::out);
}
#endif
