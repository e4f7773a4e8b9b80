// SPDX-License-Identifier: Apache-2.0
//
// Two dot products with the same x: of one width, used at once; of two widths, added to
// registers.
#include "tests/hls/kernel.h"

template <class T = int32_t>
struct SumsSideBySide {
  struct Rows {
    int8_t x[16], a[16], b[16];
  };
  struct Sums {
    T p, q;
  };
  HLS_STREAM(uint8_t, lengths, 2);
  HLS_STREAM(Rows, in, 2);
  HLS_STREAM(Sums, sums, 2);
  HLS_STREAM(T, totals, 2);
  HLS_REGISTER(int16_t, narrow);
  HLS_REGISTER(T, wide);

  static Sums sums_of(const Rows& rows) {
    Sums result{0, 0};
    HLS_UNROLL
    for (int k = 0; k < 16; ++k) {
      result.p += rows.a[k] * rows.x[k];
      result.q += rows.b[k] * rows.x[k];
    }
    return result;
  }

  HLS_PROCESS run() {
    for (;;) {
      const uint8_t n = lengths.read();
      for (uint8_t i = 0; i < n; ++i) {
        HLS_PIPELINE(1);
        sums.write(sums_of(in.read()));
      }
      narrow = 0;
      wide = 0;
      for (uint8_t i = 0; i < n; ++i) {
        HLS_PIPELINE(1);
        const Sums made = sums_of(in.read());
        wide = wide + (made.p >> 1);
        narrow = static_cast<int16_t>(narrow + static_cast<int16_t>(made.q));
      }
      totals.write(wide);
      totals.write(narrow);
    }
  }
};
template struct SumsSideBySide<>;

#ifndef __HLSC__
KERNEL(SumsSideBySide<>) {
  process(&K::run);
  output(&K::sums);
  output(&K::totals);
  for (int i = 0; i < 10; ++i) {
    const int64_t length = random.between(0, 9);
    put(&K::lengths, length);
    put_any(&K::in, random, static_cast<int>(2 * length));
  }
}
#endif
