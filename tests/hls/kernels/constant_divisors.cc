// SPDX-License-Identifier: Apache-2.0
//
// Quotients and remainders by constants, of signed and unsigned numbers and of a counter.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct ConstantDivisors {
  struct Numbers {
    int64_t wide;
    T number;
    int16_t half;
    int8_t byte;
    uint8_t digit;
  };
  struct Results {
    int64_t by_thousand;
    uint64_t wide_rest;
    uint32_t tens, rest_of_week, quarter, sevenths;
    int32_t eighth, rest_of_eight, by_minus_ten, rest_of_minus_ten, third, rest_of_99;
    int32_t sum, magnitude;
  };
  HLS_STREAM(Numbers, in, 2);
  HLS_STREAM(Results, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      const Numbers n = in.read();
      const int32_t number = static_cast<int32_t>(n.number);
      Results r;
      r.by_thousand = n.wide / 1000;
      r.wide_rest = static_cast<uint64_t>(n.wide) % 1000000007u;
      r.tens = n.number / 10;
      r.rest_of_week = n.number % 7;
      r.quarter = n.number / 4 + n.number % 16;
      r.sevenths = n.digit / 7 + n.digit % 10;
      r.eighth = number / 8;
      r.rest_of_eight = number % 8;
      r.by_minus_ten = number / -10;
      r.rest_of_minus_ten = number % -10;
      r.third = n.half / 3 - n.byte / 11;
      r.rest_of_99 = n.byte % 99 + n.byte / 200 + number / -1 % 641 + number % 1;
      r.magnitude = number / static_cast<int32_t>(0x80000000) + n.half / -64;
      r.sum = 0;
      for (int i = 0; i < 100; ++i) {
        HLS_PIPELINE(1);
        r.sum += i / 10 * (i % 10);
      }
      out.write(r);
    }
  }
};
template struct ConstantDivisors<>;

#ifndef __HLSC__
KERNEL(ConstantDivisors<>) {
  process(&K::run);
  output(&K::out);
  for (const uint32_t number : {0u, 1u, 9u, 10u, 0x7fffffffu, 0x80000001u, ~0u}) {
    for (const int8_t byte : {-128, 127}) {
      const auto wide = static_cast<int64_t>(uint64_t{number} << 32 | number);
      put(&K::in,
          {wide, number, static_cast<int16_t>(-256 * byte), byte, static_cast<uint8_t>(number)});
    }
  }
  put_any(&K::in, random, 40);
}
#endif
