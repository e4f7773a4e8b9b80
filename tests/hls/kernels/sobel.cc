// SPDX-License-Identifier: Apache-2.0
//
// Sobel's edge filter of an image: a local window of 3 x 3 pixels and two line buffers.
#include "tests/hls/kernel.h"

template <uint16_t max_width = 640>
struct Sobel {
  HLS_STREAM(uint16_t, size, 2);  // width and height of the next image
  HLS_STREAM(uint8_t, in, 4);
  HLS_STREAM(uint8_t, out, 4);
  HLS_RAM(uint8_t, above_1, max_width);
  HLS_RAM(uint8_t, above_2, max_width);

  HLS_PROCESS run() {
    for (;;) {
      const uint16_t width = size.read(), height = size.read();
      uint8_t window[3][3];
      for (uint16_t y = 0; y < height; ++y) {
        for (uint16_t x = 0; x < width; ++x) {
          HLS_PIPELINE(1);
          HLS_UNROLL
          for (int row = 0; row < 3; ++row) {
            HLS_UNROLL
            for (int column = 0; column < 2; ++column)
              window[row][column] = window[row][column + 1];
          }
          window[0][2] = above_2[x];
          window[1][2] = above_1[x];
          window[2][2] = in.read();
          above_2[x] = window[1][2];
          above_1[x] = window[2][2];
          const uint8_t edge = gradient(window);
          const bool is_border = (x < 2) | (y < 2);
          out.write(is_border ? 0 : edge);
        }
      }
    }
  }

  static uint8_t gradient(const uint8_t window[3][3]) {
    static const int8_t kernel[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    int gx = 0, gy = 0;
    HLS_UNROLL
    for (int row = 0; row < 3; ++row) {
      HLS_UNROLL
      for (int column = 0; column < 3; ++column) {
        gx += kernel[row][column] * window[row][column];
        gy += kernel[column][row] * window[row][column];
      }
    }
    const int sum = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
    return static_cast<uint8_t>(sum > 255 ? 255 : sum);
  }
};
template struct Sobel<>;

#ifndef __HLSC__
KERNEL(Sobel<>) {
  process(&K::run);
  output(&K::out);
  for (const auto& [width, height] : {std::pair<uint16_t, uint16_t>{48, 32}, {3, 3}, {40, 1}}) {
    put(&K::size, width);
    put(&K::size, height);
    put_any(&K::in, random, width * height);
  }
}
#endif
