// SPDX-License-Identifier: Apache-2.0
//
// The inner bound is the outer counter: 0 + 1 + ... iterations.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct Triangle {
  HLS_STREAM(uint8_t, sizes, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      const uint8_t size = sizes.read();
      for (uint8_t i = 0; i < size; ++i) {
        for (uint8_t j = 0; j < i; ++j) {
          HLS_PIPELINE(1);
          out.write(T(i) * T(i) + j);
        }
      }
    }
  }
};
template struct Triangle<>;

#ifndef __HLSC__
KERNEL(Triangle<>) {
  process(&K::run);
  output(&K::out);
  for (uint8_t size : {0, 1, 2, 3, 7, 11, 1, 0, 5}) put(&K::sizes, size);
}
#endif
