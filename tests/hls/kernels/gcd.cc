// SPDX-License-Identifier: Apache-2.0
//
// Greatest common divisor by subtraction: an unpipelined loop with one state a step.
#include "tests/hls/kernel.h"

template <class T = uint16_t>
struct Gcd {
  struct Pair {
    T a, b;
  };
  HLS_STREAM(Pair, in, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      const Pair pair = in.read();
      T a = pair.a, b = pair.b;
      while (a != b) {
        if (a > b) {
          a = static_cast<T>(a - b);
        } else {
          b = static_cast<T>(b - a);
        }
      }
      out.write(a);
    }
  }
};
template struct Gcd<>;

#ifndef __HLSC__
KERNEL(Gcd<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 25; ++i) {
    put(&K::in, {static_cast<uint16_t>(random.between(1, 300)),
                 static_cast<uint16_t>(random.between(1, 300))});
  }
}
#endif
