// SPDX-License-Identifier: Apache-2.0
//
// Population count of 64 bits, by the builtin and by a loop whose length depends on the bits.
#include "tests/hls/kernel.h"

template <class T = uint64_t>
struct Popcount {
  struct Two {
    uint32_t builtin, loop;
  };
  HLS_STREAM(T, in, 2);
  HLS_STREAM(Two, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      const T x = in.read();
      uint32_t ones = 0;
      for (T rest = x; rest != 0; rest &= rest - 1) {
        HLS_PIPELINE(1);
        ones++;
      }
      out.write(Two{static_cast<uint32_t>(__builtin_popcountll(x)), ones});
    }
  }
};
template struct Popcount<>;

#ifndef __HLSC__
KERNEL(Popcount<>) {
  process(&K::run);
  output(&K::out);
  put(&K::in, 0);
  put(&K::in, ~uint64_t(0));
  put_any(&K::in, random, 30);
}
#endif
