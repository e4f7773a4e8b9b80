// SPDX-License-Identifier: Apache-2.0
//
// A running sum and its value at the start of the row: carried by the outer loop, and read by the
// inner loop as well.
#include "tests/hls/kernel.h"

template <uint32_t columns = 5>
struct RowStart {
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      const uint32_t rows = in.read() & 3;
      uint32_t sum = 0;
      for (uint32_t y = 0; y < rows; ++y) {
        const uint32_t before = sum;
        for (uint32_t x = 0; x < columns; ++x) {
          HLS_PIPELINE(1);
          sum += in.read();
          out.write(sum - before);
        }
      }
      out.write(sum);
    }
  }
};
template struct RowStart<>;

#ifndef __HLSC__
KERNEL(RowStart<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 20; ++i) {
    const uint16_t rows = static_cast<uint16_t>(random.between(0, 255));
    put(&K::in, rows);
    put_any(&K::in, random, (rows & 3) * 5);
  }
}
#endif
