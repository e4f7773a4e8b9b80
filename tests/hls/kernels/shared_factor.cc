// SPDX-License-Identifier: Apache-2.0
//
// Products of bytes with a common factor, each used separately: two share a multiplier.
#include "tests/hls/kernel.h"

template <uint32_t lanes = 5>
struct SharedFactor {
  struct Factors {
    int8_t v[lanes];
    int8_t shared;
  };
  struct Products {
    int16_t v[lanes];
  };
  HLS_STREAM(Factors, in, 2);
  HLS_STREAM(Products, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const Factors f = in.read();
      Products p;
      HLS_UNROLL
      for (uint32_t i = 0; i < lanes; ++i) p.v[i] = static_cast<int16_t>(f.v[i] * f.shared);
      out.write(p);
    }
  }
};
template struct SharedFactor<>;

#ifndef __HLSC__
KERNEL(SharedFactor<>) {
  process(&K::run);
  put_any(&K::in, random, 300);
  for (int i = 0; i < 64; ++i) {  // the outermost values
    const auto value = [i](int bit) { return static_cast<int8_t>(i >> bit & 1 ? -128 : 127); };
    put(&K::in, {{value(0), value(1), value(2), value(3), value(4)}, value(5)});
  }
  output(&K::out);
}
#endif
