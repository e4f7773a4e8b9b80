// SPDX-License-Identifier: Apache-2.0
//
// Quotient and remainder by shift and subtraction, signed ones by their magnitudes.
#include "tests/hls/kernel.h"

template <class T = int32_t>
struct Divide {
  struct Pair {
    T dividend, divisor;
  };
  struct Result {
    T quotient, remainder;
  };
  HLS_STREAM(Pair, in, 2);
  HLS_STREAM(Result, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      const Pair pair = in.read();
      const uint32_t sign_n = static_cast<uint32_t>(pair.dividend >> 31);
      const uint32_t sign_d = static_cast<uint32_t>(pair.divisor >> 31);
      uint32_t n = (static_cast<uint32_t>(pair.dividend) ^ sign_n) - sign_n;
      const uint32_t d = (static_cast<uint32_t>(pair.divisor) ^ sign_d) - sign_d;
      uint64_t rest = 0;
      for (uint8_t i = 0; i < 32; ++i) {
        HLS_PIPELINE(1);
        rest = (rest << 1) | (n >> 31);
        n <<= 1;
        if (rest >= d) {
          rest -= d;
          n |= 1;
        }
      }
      const uint32_t sign = sign_n ^ sign_d;
      out.write(Result{static_cast<T>((n ^ sign) - sign),
                       static_cast<T>((static_cast<uint32_t>(rest) ^ sign_n) - sign_n)});
    }
  }
};
template struct Divide<>;

#ifndef __HLSC__
KERNEL(Divide<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 30; ++i) {
    const int32_t divisor = static_cast<int32_t>(random.next()) >> random.between(0, 30);
    put(&K::in, {static_cast<int32_t>(random.next()), divisor});
  }
}
#endif
