// SPDX-License-Identifier: Apache-2.0
//
// Products of mixed signs and widths: 8, 16, 32 bits, and the upper half of 64.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct Products {
  struct Factors {
    T a, b;
  };
  struct Results {
    int32_t of_bytes, of_mixed;
    T low, high;
    int32_t high_signed, by_constant;
  };
  HLS_STREAM(Factors, in, 2);
  HLS_STREAM(Results, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const Factors f = in.read();
      const int32_t a = static_cast<int32_t>(f.a), b = static_cast<int32_t>(f.b);
      Results r;
      r.of_bytes = static_cast<int8_t>(f.a) * static_cast<int8_t>(f.b);
      r.of_mixed = static_cast<int16_t>(f.a) * static_cast<uint8_t>(f.b);
      r.low = f.a * f.b;
      r.high = static_cast<T>((uint64_t(f.a) * f.b) >> 32);
      r.high_signed = static_cast<int32_t>((int64_t(a) * b) >> 32);
      r.by_constant = static_cast<int16_t>(f.a) * 1000 - static_cast<int16_t>(f.b) * 7;
      out.write(r);
    }
  }
};
template struct Products<>;

#ifndef __HLSC__
KERNEL(Products<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  output(&K::out);
}
#endif
