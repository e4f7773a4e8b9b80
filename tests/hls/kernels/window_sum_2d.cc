// SPDX-License-Identifier: Apache-2.0
//
// 3 x 3 sums of an image: two line buffers in one RAM of pairs, columns in registers.
#include "tests/hls/kernel.h"

template <uint32_t width = 12>
struct WindowSum2d {
  struct Pair {
    uint8_t v[2];  // of the previous row and the one before
  };
  HLS_STREAM(uint8_t, in, 4);
  HLS_STREAM(uint16_t, out, 4);
  HLS_RAM(Pair, lines, width);
  HLS_REGISTER(uint16_t, column_1);
  HLS_REGISTER(uint16_t, column_2);

  HLS_PROCESS run() {
    for (;;) {
      const uint8_t height = in.read();
      for (uint8_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
          HLS_PIPELINE(1);
          const uint8_t pixel = in.read();
          Pair above = lines[x];
          const uint16_t column = static_cast<uint16_t>(pixel + above.v[0] + above.v[1]);
          above.v[1] = above.v[0];
          above.v[0] = pixel;
          lines[x] = above;
          if ((y >= 2) & (x >= 2)) out.write(static_cast<uint16_t>(column + column_1 + column_2));
          column_2 = column_1;
          column_1 = column;
        }
      }
    }
  }
};
template struct WindowSum2d<>;

#ifndef __HLSC__
KERNEL(WindowSum2d<>) {
  process(&K::run);
  output(&K::out);
  for (uint8_t height : {7, 1, 0, 4, 9}) {
    put(&K::in, height);
    put_any(&K::in, random, height * 12);
  }
}
#endif
