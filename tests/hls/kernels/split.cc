// SPDX-License-Identifier: Apache-2.0
//
// Routes one input stream to three outputs by a field of the item.
#include "tests/hls/kernel.h"

template <class T = uint16_t>
struct Split {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, small, 1);
  HLS_STREAM(T, odd, 2);
  HLS_STREAM(T, even, 3);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const T x = in.read();
      if (x < 20000) {
        small.write(x);
      } else if (x & 1) {
        odd.write(static_cast<T>(~x));
      } else {
        even.write(x);
      }
    }
  }
};
template struct Split<>;

#ifndef __HLSC__
KERNEL(Split<>) {
  process(&K::run);
  put_any(&K::in, random, 300);
  output(&K::small);
  output(&K::odd);
  output(&K::even);
}
#endif
