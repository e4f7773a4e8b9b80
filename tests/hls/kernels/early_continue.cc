// SPDX-License-Identifier: Apache-2.0
//
// Rejected items leave the iteration early, at two places.
#include "tests/hls/kernel.h"

template <class T = int32_t>
struct EarlyContinue {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, out, 2);
  HLS_REGISTER(uint32_t, dropped);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const T x = in.read();
      if (x < 0) {
        dropped++;
        continue;
      }
      const T half = x >> 1;
      if ((half & 7) == 3) continue;
      out.write(half + static_cast<T>(dropped));
      dropped = 0;
    }
  }
};
template struct EarlyContinue<>;

#ifndef __HLSC__
KERNEL(EarlyContinue<>) {
  process(&K::run);
  put_any(&K::in, random, 300);
  output(&K::out);
}
#endif
