// SPDX-License-Identifier: Apache-2.0
//
// A nest with three runtime bounds, each of which may be zero.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct ZeroTrips {
  struct Bounds {
    uint8_t outer, middle, inner, rest;
  };
  HLS_STREAM(Bounds, bounds, 2);
  HLS_STREAM(T, out, 4);

  HLS_PROCESS run() {
    for (;;) {
      const Bounds b = bounds.read();
      T base = 0;
      for (uint8_t i = 0; i < b.outer; ++i) {
        for (uint8_t j = 0; j < b.middle; ++j) {
          const uint8_t inner = static_cast<uint8_t>((i ^ j) & 1 ? b.inner : b.rest);
          for (uint8_t k = 0; k < inner; ++k) {
            HLS_PIPELINE(1);
            out.write(base + (T(i) << 16) + (T(j) << 8) + k);
          }
          base += 0x1000000;
        }
      }
      out.write(base);
    }
  }
};
template struct ZeroTrips<>;

#ifndef __HLSC__
KERNEL(ZeroTrips<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 30; ++i) {
    const auto draw = [&] { return static_cast<uint8_t>(random.between(0, 3)); };
    put(&K::bounds, {draw(), draw(), draw(), draw()});
  }
}
#endif
