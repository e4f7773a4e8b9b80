// SPDX-License-Identifier: Apache-2.0
//
// Merges two streams alternately, in one iteration of interval 2: two writes of one stream.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct RoundRobinMerge {
  HLS_STREAM(T, a, 2);
  HLS_STREAM(T, b, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(3);
      out.write(a.read());
      out.write(b.read());
    }
  }
};
template struct RoundRobinMerge<>;

#ifndef __HLSC__
KERNEL(RoundRobinMerge<>) {
  process(&K::run);
  put_any(&K::a, random, 100);
  put_any(&K::b, random, 100);
  output(&K::out);
}
#endif
