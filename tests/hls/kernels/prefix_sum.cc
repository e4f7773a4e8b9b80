// SPDX-License-Identifier: Apache-2.0
//
// A running sum over the items of a packet, whose header gives the trip count.
#include "tests/hls/kernel.h"

template <class T = uint64_t>
struct PrefixSum {
  HLS_STREAM(uint8_t, length, 1);
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      T sum = 0;
      for (uint8_t left = length.read(); left != 0; --left) {
        HLS_PIPELINE(1);
        sum += in.read();
        out.write(sum);
      }
    }
  }
};
template struct PrefixSum<>;

#ifndef __HLSC__
KERNEL(PrefixSum<>) {
  process(&K::run);
  output(&K::out);
  for (int n = 0; n < 12; ++n) {
    const int64_t length = random.between(0, 30);
    put(&K::length, length);
    put_any(&K::in, random, static_cast<int>(length));
  }
}
#endif
