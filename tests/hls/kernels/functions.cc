// SPDX-License-Identifier: Apache-2.0
//
// Functions of every kind: templates, template recursion, lambdas, references, struct results.
#include "tests/hls/kernel.h"

template <class T = int32_t>
struct Functions {
  struct Pair {
    T sum, product;
  };
  HLS_STREAM(T, in, 2);
  HLS_STREAM(Pair, out, 2);
  HLS_REGISTER(Pair, last);

  template <int n>
  struct Power {
    static uint32_t of(uint32_t x) { return x * Power<n - 1>::of(x); }
  };
  template <class U>
  static U larger(U a, U b) {
    return a < b ? b : a;
  }
  static Pair both(const T& a, T b) { return a > b ? Pair{a + b, a * 3} : Pair{a - b, b * 5}; }
  static void swap_if(bool yes, Pair& pair) {
    const Pair copy = pair;
    if (yes) pair = Pair{copy.product, copy.sum};
  }
  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const T x = in.read() >> 4;
      const auto clipped = [x](T limit) { return x > limit ? limit : x; };
      Pair pair = both(clipped(100000), larger<T>(x, -70000));
      swap_if((x & 1) != 0, pair);
      pair.sum ^= static_cast<T>(Power<5>::of(static_cast<uint32_t>(x)));
      swap_if((x & 2) != 0, last);
      last.sum ^= pair.product;
      if (x & 4) last = pair;
      out.write(last);
    }
  }
};
template <>
template <>
struct Functions<int32_t>::Power<0> {
  static uint32_t of(uint32_t) { return 1; }
};
template struct Functions<>;

#ifndef __HLSC__
KERNEL(Functions<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  output(&K::out);
}
#endif
