// SPDX-License-Identifier: Apache-2.0
//
// A search in rows that stops some iterations after the first hit; its result is read after both
// loops, and includes a hit in the last iteration.
#include "tests/hls/kernel.h"

template <uint32_t size = 32>
struct LateNest {
  HLS_STREAM(uint8_t, in, 2);
  HLS_STREAM(uint16_t, wanted, 1);
  HLS_STREAM(uint32_t, out, 1);
  HLS_RAM(uint8_t, table, size);
  HLS_REGISTER(uint32_t, found);  // index + 1

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < size; ++i) {
      HLS_PIPELINE(1);
      table[i] = in.read();
    }
    for (;;) {
      const uint16_t order = wanted.read();
      const uint8_t key = static_cast<uint8_t>(order & 3);
      const uint32_t rows = (order >> 2) & 7, columns = (order >> 5) & 3;
      found = 0;
      for (uint32_t y = 0; (y < rows) & !HLS_LATE(found != 0); ++y) {
        for (uint32_t x = 0; (x < columns) & !HLS_LATE(found != 0); ++x) {
          HLS_PIPELINE(1);
          if (found != 0) continue;
          const uint32_t index = (4 * y + x) & (size - 1);
          if (table[index] == key) found = index + 1;
        }
      }
      out.write(found);
    }
  }
};
template struct LateNest<>;

#ifndef __HLSC__
KERNEL(LateNest<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 32; ++i) put(&K::in, random.between(0, 7));
  for (int i = 0; i < 60; ++i) put(&K::wanted, random.between(0, 127));
}
#endif
