// SPDX-License-Identifier: Apache-2.0
//
// Items of bit fields, an enumeration and 128-bit arithmetic.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct BitFields {
  enum class Mode : uint32_t { kAdd, kXor, kWide };
  struct Instruction {
    T mode : 2, dst : 7;
    int32_t immediate : 11;
    T rest : 12;
  };
  HLS_STREAM(Instruction, in, 2);
  HLS_STREAM(Instruction, out, 2);
  HLS_STREAM(T, values, 2);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      Instruction x = in.read();
      const Mode mode = static_cast<Mode>(static_cast<T>(x.mode));
      T value = x.dst + static_cast<T>(x.immediate);
      if (mode == Mode::kXor) value = x.dst ^ x.rest;
      if (mode == Mode::kWide) {
        const unsigned __int128 wide = static_cast<unsigned __int128>(x.rest) << (x.dst & 63);
        value = static_cast<T>((wide + x.dst) >> 40);
      }
      x.dst = value & 0x7f;
      x.immediate = x.immediate >> 1;
      values.write(value);
      out.write(x);
    }
  }
};
template struct BitFields<>;

#ifndef __HLSC__
KERNEL(BitFields<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  output(&K::values);
  output(&K::out);
}
#endif
