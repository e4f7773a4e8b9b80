// SPDX-License-Identifier: Apache-2.0
//
// 8 x 8 by 8 x 8 from two RAMs; the sum is output with the last product.
#include "tests/hls/kernel.h"

template <uint32_t n = 8>
struct MatrixProduct {
  HLS_STREAM(int8_t, in, 4);  // a, then b, by rows
  HLS_STREAM(int32_t, out, 4);
  HLS_RAM(int8_t, a, n* n);
  HLS_RAM(int8_t, b, n* n);

  HLS_PROCESS run() {
    for (;;) {
      for (uint32_t i = 0; i < n * n; ++i) {
        HLS_PIPELINE(1);
        a[i] = in.read();
      }
      for (uint32_t i = 0; i < n * n; ++i) {
        HLS_PIPELINE(1);
        b[i] = in.read();
      }
      int32_t sum = 0;
      for (uint32_t y = 0; y < n; ++y) {
        for (uint32_t x = 0; x < n; ++x) {
          for (uint32_t k = 0; k < n; ++k) {
            HLS_PIPELINE(1);
            const int32_t product = a[y * n + k] * b[k * n + x];
            sum = k == 0 ? product : sum + product;
            if (k == n - 1) out.write(sum);
          }
        }
      }
    }
  }
};
template struct MatrixProduct<>;

#ifndef __HLSC__
KERNEL(MatrixProduct<>) {
  process(&K::run);
  put_any(&K::in, random, 3 * 128);
  output(&K::out);
}
#endif
