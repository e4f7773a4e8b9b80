// SPDX-License-Identifier: Apache-2.0
//
// Products of neighbours: each product has a factor in common with the next one, so that two share
// a multiplier only if the pairs are chosen well.
#include "tests/hls/kernel.h"

template <uint32_t products = 4>
struct ChainedFactors {
  struct Factors {
    int8_t v[products + 1];
  };
  struct Products {
    int16_t v[products];
  };
  HLS_STREAM(Factors, in, 2);
  HLS_STREAM(Products, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const Factors f = in.read();
      Products p;
      HLS_UNROLL
      for (uint32_t i = 0; i < products; ++i) p.v[i] = static_cast<int16_t>(f.v[i] * f.v[i + 1]);
      out.write(p);
    }
  }
};
template struct ChainedFactors<>;

#ifndef __HLSC__
KERNEL(ChainedFactors<>) {
  process(&K::run);
  put_any(&K::in, random, 300);
  for (int i = 0; i < 32; ++i) {  // the outermost values
    const auto value = [i](int bit) { return static_cast<int8_t>(i >> bit & 1 ? -128 : 127); };
    put(&K::in, {{value(0), value(1), value(2), value(3), value(4)}});
  }
  output(&K::out);
}
#endif
