// SPDX-License-Identifier: Apache-2.0
//
// Integers of any width: words of 100 bits in a memory, a product of 64 bits, a rotation of 24
// bits, fixed point numbers of 18 bits.
#include "tests/hls/kernel.h"

template <int size = 4>
struct WideIntegers {
  using Wide = unsigned _BitInt(100);
  using Fixed = _BitInt(18);  // 9 bits after the point
  struct Word {
    Wide value;
  };
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(uint64_t, out, 2);
  HLS_RAM(Word, memory, 16);

  HLS_MEMBER Fixed times(Fixed a, Fixed b) {
    return static_cast<Fixed>((static_cast<_BitInt(36)>(a) * b) >> 9);
  }

  HLS_PROCESS run() {
    for (;;) {
      Wide value = 1, sum = 0;
      for (int i = 0; i < size; ++i) {
        value = value * 3 + in.read();
        memory[i].value = value;
        value = (value << 29) ^ (value >> 71);
      }
      for (int i = 0; i < size; ++i) sum += memory[i].value;
      out.write(static_cast<uint64_t>(sum));
      out.write(static_cast<uint64_t>(sum >> 64) + (sum > value));
      const uint64_t a = static_cast<uint64_t>(sum >> 20), b = static_cast<uint64_t>(value);
      out.write(static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64));
      const unsigned _BitInt(24) part = static_cast<unsigned _BitInt(24)>(value);
      out.write(static_cast<uint64_t>((part << 5) | (part >> 19)));
      out.write(static_cast<uint64_t>(times(static_cast<Fixed>(a), static_cast<Fixed>(b))));
    }
  }
};
template struct WideIntegers<>;

#ifndef __HLSC__
KERNEL(WideIntegers<>) {
  process(&K::run);
  output(&K::out);
  put_any(&K::in, random, 4 * 12);
}
#endif
