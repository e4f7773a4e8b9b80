// SPDX-License-Identifier: Apache-2.0
//
// Functions of the standard library, and builtins that tell of an overflow or clip.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tests/hls/kernel.h"

template <class T = int32_t>
struct StandardFunctions {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, out, 2);

  HLS_MEMBER T clipped(T a, T b) {
    T sum;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return a < 0 ? INT32_MIN : INT32_MAX;
  }

  HLS_PROCESS run() {
    for (;;) {
      T values[4], copy[4];
      for (T& value : values) value = in.read();
      std::memcpy(copy, values, sizeof(copy));
      std::memset(values, 0, sizeof(values));
      T a = copy[0], b = copy[1];
      out.write(std::abs(a >> 1) + values[1]);
      out.write(std::min(a, b));
      out.write(std::max(copy[2], copy[3]));
      std::swap(a, b);
      out.write(clipped(a, copy[2]));
      T product;
      out.write(__builtin_mul_overflow(a, copy[3], &product) ? -1 : product);
      uint16_t narrow;
      const bool borrows =
          __builtin_sub_overflow(static_cast<uint16_t>(a), static_cast<uint16_t>(b), &narrow);
      out.write(borrows ? 7 : narrow);
      out.write(__builtin_elementwise_add_sat(a, b));
      out.write(__builtin_elementwise_sub_sat(static_cast<int8_t>(a), static_cast<int8_t>(b)));
    }
  }
};
template struct StandardFunctions<>;

#ifndef __HLSC__
KERNEL(StandardFunctions<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 80; ++i)
    put(&K::in, static_cast<int32_t>(random.next()) >> random.between(0, 31));
}
#endif
