// SPDX-License-Identifier: Apache-2.0
//
// Sine and cosine by CORDIC in 8 steps side by side, at a clock period of 4 ns (write_verilog.cc).
#include "tests/hls/kernel.h"

template <int steps = 8>
struct Cordic {
  HLS_STREAM(int16_t, in, 2);  // an angle; 16384 is a radian
  HLS_STREAM(uint32_t, out, 2);

  HLS_PROCESS run() {
    static const int32_t angles[16] = {12868, 7596, 4014, 2037, 1023, 512, 256, 128,
                                       64,    32,   16,   8,    4,    2,   1,   1};
    for (;;) {
      HLS_PIPELINE(1);
      int32_t angle = in.read(), x = 9949, y = 0;
      HLS_UNROLL
      for (int i = 0; i < steps; ++i) {
        const int32_t dx = y >> i, dy = x >> i;
        if (angle >= 0) {
          x -= dx;
          y += dy;
          angle -= angles[i];
        } else {
          x += dx;
          y -= dy;
          angle += angles[i];
        }
      }
      out.write(static_cast<uint32_t>(x) << 16 | (static_cast<uint32_t>(y) & 0xffff));
    }
  }
};
template struct Cordic<>;

#ifndef __HLSC__
KERNEL(Cordic<>) {
  process(&K::run);
  output(&K::out);
  put_any(&K::in, random, 60);
}
#endif
