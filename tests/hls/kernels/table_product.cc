// SPDX-License-Identifier: Apache-2.0
//
// Words that are factors, indexes and conditions, through the output registers of their RAMs
// (write_verilog.cc has the option), in a pipeline that waits for items and for space.
#include "tests/hls/kernel.h"

template <uint32_t words = 64>
struct TableProduct {
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint8_t, order, words);
  HLS_RAM(uint16_t, weights, 256);
  HLS_RAM(uint16_t, counts, 256);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < 256; ++i) {
      HLS_PIPELINE(1);
      counts[i] = 0;
      weights[i] = static_cast<uint16_t>(i * 259);
    }
    for (;;) {
      const uint16_t n = in.read();
      for (uint32_t i = 0; i < words; ++i) {
        HLS_PIPELINE(1);
        order[i] = static_cast<uint8_t>(in.read());
      }
      for (uint16_t i = 0; i < n; ++i) {
        HLS_PIPELINE(1);
        const uint16_t x = in.read();
        const uint8_t at = order[x & (words - 1)];
        const uint32_t weight = weights[at];
        const uint16_t count = counts[at];
        if ((weight & 1) != 0) counts[at] = static_cast<uint16_t>(count + x);
        out.write(weight * x + count);
      }
    }
  }
};
template struct TableProduct<>;

#ifndef __HLSC__
KERNEL(TableProduct<>) {
  process(&K::run);
  output(&K::out);
  for (int round = 0; round < 4; ++round) {
    const int64_t n = random.between(0, 60), spread = random.between(0, 63);
    put(&K::in, n);
    for (int i = 0; i < 64; ++i) put(&K::in, random.between(0, 255));
    for (int64_t i = 0; i < n; ++i)
      put(&K::in, 64 * random.between(0, 99) + random.between(0, spread));
  }
}
#endif
