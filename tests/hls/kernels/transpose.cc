// SPDX-License-Identifier: Apache-2.0
//
// Rows in, columns out, through a RAM.
#include "tests/hls/kernel.h"

template <class T = uint16_t, uint32_t side = 16>
struct Transpose {
  HLS_STREAM(uint8_t, shape, 1);  // rows << 4 | columns
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, out, 2);
  HLS_RAM(T, tile, side* side);

  HLS_PROCESS run() {
    for (;;) {
      const uint8_t both = shape.read();
      const uint32_t rows = both >> 4, columns = both & 15;
      for (uint32_t y = 0; y < rows; ++y) {
        for (uint32_t x = 0; x < columns; ++x) {
          HLS_PIPELINE(1);
          tile[y * side + x] = in.read();
        }
      }
      for (uint32_t x = 0; x < columns; ++x) {
        for (uint32_t y = 0; y < rows; ++y) {
          HLS_PIPELINE(1);
          out.write(tile[y * side + x]);
        }
      }
    }
  }
};
template struct Transpose<>;

#ifndef __HLSC__
KERNEL(Transpose<>) {
  process(&K::run);
  output(&K::out);
  for (int64_t shape : {0x35, 0x53, 0x11, 0x07, 0x70, 0xff, 0x88}) {
    put(&K::shape, shape);
    put_any(&K::in, random, static_cast<int>((shape >> 4) * (shape & 15)));
  }
}
#endif
