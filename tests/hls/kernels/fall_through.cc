// SPDX-License-Identifier: Apache-2.0
//
// A switch whose cases fall into the next, with a continue and a loop in two of them.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct FallThrough {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    T state = 1;
    for (;;) {
      const T x = in.read();
      switch (x & 7) {
        case 0:
          state += 5;
          [[fallthrough]];
        case 1:
          state ^= x;
          [[fallthrough]];
        case 2:
          out.write(state);
          break;
        case 4:
          continue;
        case 5:
          for (T i = 0; i < ((x >> 4) & 3); ++i) state += in.read() ^ i;
          break;
        default:
          state = (state << 1) | (state >> 31);
      }
      out.write(state + 1);
    }
  }
};
template struct FallThrough<>;

#ifndef __HLSC__
KERNEL(FallThrough<>) {
  process(&K::run);
  put_any(&K::in, random, 300);
  output(&K::out);
}
#endif
