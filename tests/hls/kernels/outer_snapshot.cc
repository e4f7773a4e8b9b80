// SPDX-License-Identifier: Apache-2.0
//
// A value that an outer loop reads from a register stays unchanged while the inner pipelined loop
// writes that register.
#include "tests/hls/kernel.h"

template <int unused = 0>
struct OuterSnapshot {
  HLS_STREAM(uint8_t, step, 2);
  HLS_STREAM(uint8_t, out, 2);
  HLS_REGISTER(uint8_t, total);

  HLS_PROCESS run() {
    for (;;) {
      const uint8_t by = step.read();
      for (uint8_t j = 0; j < 4; ++j) {
        const uint8_t before = total;
        for (uint8_t i = 0; i < 4; ++i) {
          HLS_PIPELINE(1);
          total = static_cast<uint8_t>(total + by);
          out.write(before);
        }
      }
    }
  }
};
template struct OuterSnapshot<>;

#ifndef __HLSC__
KERNEL(OuterSnapshot<>) {
  process(&K::run);
  put_any(&K::step, random, 20);
  output(&K::out);
}
#endif
