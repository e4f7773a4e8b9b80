// SPDX-License-Identifier: Apache-2.0
//
// A loop uses a value that takes several steps to compute, and no other operation waits for them.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct LateFactor {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, out, 4);

  HLS_PROCESS run() {
    for (;;) {
      const T x = in.read();
      const T y = x * x * (x + 3) * (x ^ 5);
      for (T i = 0; i < 4; ++i) {
        HLS_PIPELINE(1);
        out.write(y + i);
      }
    }
  }
};
template struct LateFactor<>;

#ifndef __HLSC__
KERNEL(LateFactor<>) {
  process(&K::run);
  put_any(&K::in, random, 30);
  output(&K::out);
}
#endif
