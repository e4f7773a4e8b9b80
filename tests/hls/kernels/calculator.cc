// SPDX-License-Identifier: Apache-2.0
//
// A switch over eleven operations; some share code, some are left out.
#include "tests/hls/kernel.h"

template <class T = int32_t>
struct Calculator {
  struct Operation {
    uint32_t code;
    T a, b;
  };
  HLS_STREAM(Operation, in, 2);
  HLS_STREAM(T, out, 2);

  static T wrapping_sum(T a, T b) {
    return static_cast<T>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  }
  static T calculate(const Operation& o) {
    switch (o.code & 15) {
      case 0:
        return wrapping_sum(o.a, o.b);
      case 1:
        return wrapping_sum(o.a, static_cast<T>(0u - static_cast<uint32_t>(o.b)));
      case 2:
        return o.a & o.b;
      case 3:
        return o.a | o.b;
      case 4:
        return o.a ^ o.b;
      case 5:
        return o.a < o.b;
      case 6:
        return static_cast<uint32_t>(o.a) < static_cast<uint32_t>(o.b);
      case 7:
        return o.a > o.b ? o.a : o.b;
      case 8:
      case 9:
        return static_cast<int16_t>(o.a) * static_cast<int16_t>(o.b);
      case 14:
        return o.a == o.b;
      default:
        return o.b;
    }
  }
  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      out.write(calculate(in.read()));
    }
  }
};
template struct Calculator<>;

#ifndef __HLSC__
KERNEL(Calculator<>) {
  process(&K::run);
  put_any(&K::in, random, 300);
  output(&K::out);
}
#endif
