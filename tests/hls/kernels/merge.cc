// SPDX-License-Identifier: Apache-2.0
//
// Merges two streams in an order that a third stream gives.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct Merge {
  HLS_STREAM(uint8_t, which, 2);
  HLS_STREAM(T, a, 1);
  HLS_STREAM(T, b, 4);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      if (which.read() != 0) {
        out.write(a.read());
      } else {
        out.write(b.read() + 1);
      }
    }
  }
};
template struct Merge<>;

#ifndef __HLSC__
KERNEL(Merge<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 250; ++i) {
    const bool a = random.chance(50);
    put(&K::which, a ? 1 : 0);
    a ? put_any(&K::a, random, 1) : put_any(&K::b, random, 1);
  }
}
#endif
