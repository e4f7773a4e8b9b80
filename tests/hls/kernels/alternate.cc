// SPDX-License-Identifier: Apache-2.0
//
// Reads two streams alternately, one an iteration: the turn is a control bit.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct Alternate {
  HLS_STREAM(T, a, 2);
  HLS_STREAM(T, b, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    bool second = false;
    for (;;) {
      HLS_PIPELINE(1);
      T x;
      if (second) {
        x = b.read();
      } else {
        x = a.read();
      }
      second = !second;
      out.write(x);
    }
  }
};
template struct Alternate<>;

#ifndef __HLSC__
KERNEL(Alternate<>) {
  process(&K::run);
  put_any(&K::a, random, 100);
  put_any(&K::b, random, 100);
  output(&K::out);
}
#endif
