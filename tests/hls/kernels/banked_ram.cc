// SPDX-License-Identifier: Apache-2.0
//
// Two processes update the banks of one RAM; a third of the blocks meet in one bank.
#include "tests/hls/kernel.h"

template <uint32_t size = 32>
struct BankedRam {
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(uint32_t, blocks, 4);
  HLS_STREAM(uint32_t, done, 4);
  HLS_STREAM(uint32_t, out, 2);
  HLS_BANKED_RAM(uint32_t, memory, size, 2);

  // Block b is words 8 b .. 8 b + 7, modulo the size; the other process lags by at most two blocks.
  HLS_PROCESS writer() {
    uint32_t block = 0;
    for (;;) {
      if (block >= 3) done.read();
      for (uint32_t i = 0; i < 8; ++i) {
        HLS_PIPELINE(1);
        memory[((block & 3) << 3) + i] = in.read();
      }
      blocks.write(block & 3);
      block++;
    }
  }
  HLS_PROCESS updater() {
    for (;;) {
      const uint32_t base = blocks.read() << 3;
      for (uint32_t n = 0; n < 16; ++n) {
        HLS_PIPELINE(1);
        memory[base + (n & 7)] += n;
      }
      for (uint32_t i = 0; i < 8; ++i) {
        HLS_PIPELINE(1);
        out.write(memory[base + i]);
      }
      done.write(base);
    }
  }
};
template struct BankedRam<>;

#ifndef __HLSC__
KERNEL(BankedRam<>) {
  process(&K::writer);
  process(&K::updater);
  put_any(&K::in, random, 20 * 8);
  output(&K::out);
}
#endif
