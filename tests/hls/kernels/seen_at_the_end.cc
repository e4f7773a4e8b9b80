// SPDX-License-Identifier: Apache-2.0
//
// A value that the head of a pipelined loop has read from a register is used after the register was
// overwritten.
#include "tests/hls/kernel.h"

template <int unused = 0>
struct SeenAtTheEnd {
  HLS_STREAM(uint8_t, count, 1);
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_REGISTER(uint32_t, total);

  HLS_PROCESS run() {
    for (;;) {
      const uint32_t items = count.read() & 7;
      uint32_t seen, i = 0;
      while (seen = total, i < items) {
        HLS_PIPELINE(1);
        total += in.read();
        ++i;
      }
      total = items;
      out.write(seen);
      out.write(seen + total);
    }
  }
};
template struct SeenAtTheEnd<>;

#ifndef __HLSC__
KERNEL(SeenAtTheEnd<>) {
  process(&K::run);
  output(&K::out);
  uint32_t items = 0;
  for (int i = 0; i < 30; ++i) {
    const uint8_t count = static_cast<uint8_t>(random.between(0, 255));
    put(&K::count, count);
    items += count & 7;
  }
  put_any(&K::in, random, static_cast<int>(items));
}
#endif
