// SPDX-License-Identifier: Apache-2.0
//
// Read, add one, write back: one iteration a cycle for any index.
#include "tests/hls/kernel.h"

template <uint32_t bins = 16>
struct Histogram {
  HLS_STREAM(uint16_t, length, 1);
  HLS_STREAM(uint8_t, in, 4);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint32_t, count, bins);

  HLS_PROCESS run() {
    for (;;) {
      const uint16_t n = length.read();
      for (uint32_t i = 0; i < bins; ++i) {
        HLS_PIPELINE(1);
        count[i] = 0;
      }
      for (uint16_t i = 0; i < n; ++i) {
        HLS_PIPELINE(1);
        count[in.read() & (bins - 1)]++;
      }
      for (uint32_t i = 0; i < bins; ++i) {
        HLS_PIPELINE(1);
        out.write(count[i]);
      }
    }
  }
};
template struct Histogram<>;

#ifndef __HLSC__
KERNEL(Histogram<>) {
  process(&K::run);
  output(&K::out);
  for (int n = 0; n < 6; ++n) {
    const int64_t length = random.between(0, 150), spread = random.between(0, 15);
    put(&K::length, length);
    for (int64_t i = 0; i < length; ++i) put(&K::in, random.between(0, spread));
  }
}
#endif
