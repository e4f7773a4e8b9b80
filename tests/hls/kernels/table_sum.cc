// SPDX-License-Identifier: Apache-2.0
//
// At a period of 5 ns (write_verilog.cc), a word is too late for an addition in its stage: it is in
// the output register of its RAM instead of in a pipeline register.
#include "tests/hls/kernel.h"

template <uint32_t words = 32>
struct TableSum {
  HLS_STREAM(uint8_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint32_t, table, words);

  HLS_PROCESS run() {
    for (;;) {
      const uint8_t n = in.read();
      for (uint32_t i = 0; i < words; ++i) {
        HLS_PIPELINE(1);
        const uint32_t word = in.read();
        table[i] = (word << 24) | (word << 11) | word;
      }
      for (uint8_t i = 0; i < n; ++i) {
        HLS_PIPELINE(1);
        const uint8_t x = in.read();
        out.write(table[x & (words - 1)] + x);
      }
    }
  }
};
template struct TableSum<>;

#ifndef __HLSC__
KERNEL(TableSum<>) {
  process(&K::run);
  output(&K::out);
  for (int round = 0; round < 4; ++round) {
    const int64_t n = random.between(0, 60);
    put(&K::in, n);
    for (int64_t i = 0; i < 32 + n; ++i) put(&K::in, random.between(0, 255));
  }
}
#endif
