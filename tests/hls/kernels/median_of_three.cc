// SPDX-License-Identifier: Apache-2.0
//
// The median of the last three items, carried in locals.
#include "tests/hls/kernel.h"

template <class T = int16_t>
struct MedianOfThree {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    T a = in.read(), b = in.read();
    for (;;) {
      HLS_PIPELINE(1);
      const T c = in.read();
      const T low = a < b ? a : b, high = a < b ? b : a;
      out.write(c < low ? low : c > high ? high : c);
      a = b;
      b = c;
    }
  }
};
template struct MedianOfThree<>;

#ifndef __HLSC__
KERNEL(MedianOfThree<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  output(&K::out);
}
#endif
