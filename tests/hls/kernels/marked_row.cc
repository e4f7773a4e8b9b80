// SPDX-License-Identifier: Apache-2.0
//
// A nest whose rounds a cycle model may skip, but for a register that only one of them writes. It
// decides how many items are sent, so that timing depends on it.
#include "tests/hls/kernel.h"

template <uint32_t size = 64>
struct MarkedRow {
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint16_t, out, 2);
  HLS_RAM(uint8_t, table, size);
  HLS_REGISTER(uint8_t, failed);
  HLS_REGISTER(uint8_t, marked);
  HLS_REGISTER(uint32_t, sum);

  HLS_PROCESS search() {
    for (uint32_t i = 0; i < size; ++i) {
      HLS_PIPELINE(1);
      table[i] = static_cast<uint8_t>(i);
    }
    for (;;) {
      const uint16_t order = in.read();
      const uint8_t rows = order & 15, columns = (order >> 4) & 15, at = (order >> 8) & 15;
      const uint16_t step = (order >> 12) & 15;
      failed = 0;
      marked = 0;
      sum = 0;
      uint16_t base = 0;
      for (uint8_t y = 0; (y < rows) & !HLS_LATE(failed != 0); ++y) {
        for (uint8_t x = 0; (x < columns) & !HLS_LATE(failed != 0); ++x) {
          HLS_PIPELINE(1);
          if (failed != 0) continue;
          if (static_cast<uint32_t>(base) + x >= size) {
            failed = 1;
          } else {
            if (y == at) marked = 1;
            sum += step;
          }
        }
        base += step;
      }
      const uint32_t turns = (sum + marked) & 7;
      for (uint32_t i = 0; i < turns; ++i) {
        HLS_PIPELINE(1);
        out.write(static_cast<uint16_t>(table[i] + marked));
      }
    }
  }
};
template struct MarkedRow<>;

#ifndef __HLSC__
KERNEL(MarkedRow<>) {
  process(&K::search);
  output(&K::out);
  put_any(&K::in, random, 60);
}
#endif
