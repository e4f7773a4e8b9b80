// SPDX-License-Identifier: Apache-2.0
//
// Quotients and remainders by variables: in a loop that divides a bit at a time, and in a pipeline.
#include "tests/hls/kernel.h"

template <class T = int32_t>
struct VariableDivisors {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, out, 2);
  HLS_STREAM(uint16_t, in16, 2);
  HLS_STREAM(uint16_t, out16, 2);

  HLS_PROCESS slow() {
    for (;;) {
      const T a = in.read(), b = in.read();
      const bool is_defined = b != 0 && b != -1;
      out.write(is_defined ? a / b : 1);
      if (is_defined) out.write(a % b);
      const uint32_t u = static_cast<uint32_t>(a), d = static_cast<uint32_t>(b) | 1;
      out.write(static_cast<T>(u / d));
      out.write(static_cast<T>(u % (d & 0xff)));
    }
  }
  HLS_PROCESS fast() {
    for (;;) {
      HLS_PIPELINE(2);
      const uint16_t a = in16.read(), by = in16.read();
      const int8_t b = static_cast<int8_t>(by & 0x7e) + 1;
      out16.write(static_cast<uint16_t>(a / (by | 256)));
      const int16_t n = static_cast<int16_t>(a);
      out16.write(static_cast<uint16_t>(n / b - n % b));
    }
  }
};
template struct VariableDivisors<>;

#ifndef __HLSC__
KERNEL(VariableDivisors<>) {
  process(&K::slow);
  process(&K::fast);
  output(&K::out);
  output(&K::out16);
  for (int i = 0; i < 30; ++i)
    put(&K::in, static_cast<int32_t>(random.next()) >> random.between(0, 31));
  put(&K::in, INT32_MIN), put(&K::in, 3);
  put(&K::in, INT32_MIN), put(&K::in, INT32_MIN);
  put_any(&K::in16, random, 60);
}
#endif
