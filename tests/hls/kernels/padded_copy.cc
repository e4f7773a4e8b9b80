// SPDX-License-Identifier: Apache-2.0
//
// Outputs an image in RAM with a border of zeros: predicated reads.
#include "tests/hls/kernel.h"

template <uint32_t capacity = 64>
struct PaddedCopy {
  struct Shape {
    uint8_t height, width, top, left;
  };
  HLS_STREAM(Shape, shapes, 1);
  HLS_STREAM(int16_t, in, 2);
  HLS_STREAM(int16_t, out, 2);
  HLS_RAM(int16_t, image, capacity);

  HLS_PROCESS run() {
    for (;;) {
      const Shape shape = shapes.read();
      const uint32_t size = static_cast<uint32_t>(shape.height) * shape.width;
      for (uint32_t i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        image[i] = in.read();
      }
      const uint32_t y_end = shape.top + shape.height, x_end = shape.left + shape.width;
      uint32_t at = 0;
      for (uint32_t y = 0; y < y_end + shape.top; ++y) {
        for (uint32_t x = 0; x < x_end + shape.left; ++x) {
          HLS_PIPELINE(1);
          const bool pad = (y < shape.top) | (y >= y_end) | (x < shape.left) | (x >= x_end);
          int16_t value = 0;
          if (!pad) value = image[at & (capacity - 1)];
          if (!pad) at++;
          out.write(value);
        }
      }
    }
  }
};
template struct PaddedCopy<>;

#ifndef __HLSC__
KERNEL(PaddedCopy<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 8; ++i) {
    const K::Shape shape = {
        static_cast<uint8_t>(random.between(0, 8)), static_cast<uint8_t>(random.between(0, 8)),
        static_cast<uint8_t>(random.between(0, 2)), static_cast<uint8_t>(random.between(0, 2))};
    put(&K::shapes, shape);
    put_any(&K::in, random, shape.height * shape.width);
  }
}
#endif
