// SPDX-License-Identifier: Apache-2.0
//
// Fills rectangles of a memory of 32 x 16, then outputs all of it.
#include "tests/hls/kernel.h"

template <uint32_t columns = 32, uint32_t rows = 16>
struct Fill {
  struct Rectangle {
    uint8_t x, y, width, height, colour;
  };
  HLS_STREAM(Rectangle, in, 1);
  HLS_STREAM(uint8_t, out, 4);
  HLS_RAM(uint8_t, pixels, columns* rows);

  HLS_PROCESS run() {
    for (;;) {
      const Rectangle all = in.read(), part = in.read();
      for (uint32_t i = 0; i < columns * rows; ++i) {
        HLS_PIPELINE(1);
        pixels[i] = all.colour;
      }
      for (uint32_t y = part.y; y < static_cast<uint32_t>(part.y) + part.height; ++y) {
        for (uint32_t x = 0; x < part.width; ++x) {
          HLS_PIPELINE(1);
          pixels[(y & (rows - 1)) * columns + ((x + part.x) & (columns - 1))] = part.colour;
        }
      }
      for (uint32_t i = 0; i < columns * rows; ++i) {
        HLS_PIPELINE(1);
        out.write(pixels[i]);
      }
    }
  }
};
template struct Fill<>;

#ifndef __HLSC__
KERNEL(Fill<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 6; ++i) {
    const auto draw = [&](int high) { return static_cast<uint8_t>(random.between(0, high)); };
    put(&K::in, {draw(31), draw(15), draw(31), draw(15), draw(255)});
  }
}
#endif
