// SPDX-License-Identifier: Apache-2.0
//
// Local arrays at variable indexes: a stack, a histogram, a shift register with a tap.
#include "tests/hls/kernel.h"

template <uint32_t bins = 10>
struct LocalArrays {
  HLS_STREAM(uint8_t, in, 4);
  HLS_STREAM(uint32_t, out, 4);

  HLS_PROCESS run() {
    for (;;) {
      histogram(in.read());
      reversed(in.read());
      taps(in.read());
    }
  }

  HLS_MEMBER void histogram(uint8_t length) {
    uint16_t counts[bins] = {};
    for (uint8_t i = 0; i < length; ++i) {
      HLS_PIPELINE(1);
      const uint8_t bin = in.read() & 15;
      if (bin < bins) counts[bin] = static_cast<uint16_t>(counts[bin] + 1);
    }
    for (uint32_t i = 0; i < bins; ++i) {
      HLS_PIPELINE(1);
      out.write(counts[i]);
    }
  }

  HLS_MEMBER void reversed(uint8_t length) {
    struct Pair {
      uint8_t value, number;
    } stack[16];
    const uint8_t depth = length & 15;
    for (uint8_t i = 0; i < depth; ++i) {
      HLS_PIPELINE(1);
      stack[i].value = in.read();
      stack[i].number = i;
    }
    for (uint8_t i = depth; i != 0; --i) {
      HLS_PIPELINE(1);
      out.write(static_cast<uint32_t>(stack[i - 1].value << 8 | stack[i - 1].number));
    }
  }

  HLS_MEMBER void taps(uint8_t length) {
    uint8_t line[2][5] = {};
    for (uint8_t i = 0; i < length; ++i) {
      HLS_PIPELINE(1);
      const uint8_t next = in.read();
      HLS_UNROLL
      for (int k = 4; k > 0; --k) line[0][k] = line[0][k - 1], line[1][k] = line[1][k - 1];
      line[next & 1][0] = next;
      out.write(static_cast<uint32_t>(line[next >> 1 & 1][(next >> 2 & 3) + 1]));
    }
  }
};
template struct LocalArrays<>;

#ifndef __HLSC__
KERNEL(LocalArrays<>) {
  process(&K::run);
  output(&K::out);
  for (const uint8_t length : {30, 13, 0, 3}) {
    put(&K::in, length);
    put_any(&K::in, random, length);
    put(&K::in, length);
    put_any(&K::in, random, length & 15);
    put(&K::in, length);
    put_any(&K::in, random, length);
  }
}
#endif
