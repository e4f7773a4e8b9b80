// SPDX-License-Identifier: Apache-2.0
//
// Minimum, maximum, absolute value, and a clip with bounds from the item.
#include "tests/hls/kernel.h"

template <class T = int16_t>
struct Clip {
  struct Item {
    T value, low, high, other;
  };
  struct Result {
    T clipped, smallest, magnitude, median;
  };
  HLS_STREAM(Item, in, 2);
  HLS_STREAM(Result, out, 2);

  static T min(T a, T b) { return a < b ? a : b; }
  static T max(T a, T b) { return a < b ? b : a; }
  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const Item x = in.read();
      Result r;
      r.clipped = min(max(x.value, x.low), x.high);
      r.smallest = min(min(x.value, x.low), min(x.high, x.other));
      r.magnitude = static_cast<T>(x.value < 0 ? -x.value : x.value);
      r.median = max(min(x.value, x.low), min(max(x.value, x.low), x.high));
      out.write(r);
    }
  }
};
template struct Clip<>;

#ifndef __HLSC__
KERNEL(Clip<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  output(&K::out);
}
#endif
