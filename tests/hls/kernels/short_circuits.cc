// SPDX-License-Identifier: Apache-2.0
//
// Reads on the right of && and ||, in a conditional expression, and after an early return.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct ShortCircuits {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, out, 2);

  HLS_MEMBER T next(T x) {
    if (x & 8) return x;
    const T y = in.read();
    if (y & 16) return y + 1;
    return (x & 32) ? in.read() : y ^ x;
  }
  HLS_PROCESS run() {
    for (;;) {
      const T x = in.read();
      T result = 0;
      if ((x & 1) && (in.read() & 1)) result = 1;
      if ((x & 2) || (in.read() & 2)) result |= 2;
      if (!(x & 4)) result += next(x);
      out.write(result);
    }
  }
};
template struct ShortCircuits<>;

#ifndef __HLSC__
KERNEL(ShortCircuits<>) {
  process(&K::run);
  put_any(&K::in, random, 300);
  output(&K::out);
}
#endif
