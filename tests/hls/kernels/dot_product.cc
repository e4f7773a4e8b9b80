// SPDX-License-Identifier: Apache-2.0
//
// Dot product of two streams, of a length that is read first and may be zero.
#include "tests/hls/kernel.h"

template <class T = int32_t>
struct DotProduct {
  HLS_STREAM(uint16_t, length, 2);
  HLS_STREAM(int8_t, a, 4);
  HLS_STREAM(int8_t, b, 3);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      const uint16_t n = length.read();
      T sum = 0;
      for (uint16_t i = 0; i < n; ++i) {
        HLS_PIPELINE(1);
        sum += a.read() * b.read();
      }
      out.write(sum);
    }
  }
};
template struct DotProduct<>;

#ifndef __HLSC__
KERNEL(DotProduct<>) {
  process(&K::run);
  output(&K::out);
  for (int n = 0; n < 20; ++n) {
    const int64_t length = n < 2 ? n : random.between(0, 40);
    put(&K::length, length);
    put_any(&K::a, random, static_cast<int>(length));
    put_any(&K::b, random, static_cast<int>(length));
  }
}
#endif
