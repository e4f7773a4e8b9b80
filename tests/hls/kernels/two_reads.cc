// SPDX-License-Identifier: Apache-2.0
//
// Reads two words of one RAM an iteration: interval 2, because of one read port.
#include "tests/hls/kernel.h"

template <uint32_t size = 32>
struct TwoReads {
  HLS_STREAM(int32_t, in, 2);
  HLS_STREAM(uint16_t, pairs, 2);
  HLS_STREAM(int32_t, out, 2);
  HLS_RAM(int32_t, table, size);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < size; ++i) {
      HLS_PIPELINE(1);
      table[i] = in.read();
    }
    for (;;) {
      HLS_PIPELINE(2);
      const uint16_t pair = pairs.read();
      const int32_t a = table[pair & (size - 1)], b = table[(pair >> 8) & (size - 1)];
      out.write((a >> 1) - (b >> 1));
    }
  }
};
template struct TwoReads<>;

#ifndef __HLSC__
KERNEL(TwoReads<>) {
  process(&K::run);
  put_any(&K::in, random, 32);
  put_any(&K::pairs, random, 200);
  output(&K::out);
}
#endif
