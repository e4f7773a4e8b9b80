// SPDX-License-Identifier: Apache-2.0
//
// A pipelined loop writes a word, another process changes it, and the loop reads it again.
#include "tests/hls/kernel.h"

template <uint32_t words = 8>
struct ChangedByAnother {
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_TOKENS(asked, 1);
  HLS_TOKENS(answered, 1);
  HLS_RAM(uint16_t, memory, words);

  HLS_PROCESS run() {
    for (uint32_t i = 0;; ++i) {
      HLS_PIPELINE(4);
      const uint16_t before = memory[i % words];
      const uint16_t x = in.read();
      if ((x & 3) != 0) memory[i % words] = x;
      asked.push();
      answered.pop();
      const uint16_t after = memory[i % words];
      memory[(i + 1) % words] = static_cast<uint16_t>(after + i);
      out.write(static_cast<uint32_t>(memory[(i + 1) % words]) << 16 | (before ^ after));
    }
  }
  HLS_PROCESS change() {
    for (uint32_t i = 0;; ++i) {
      asked.pop();
      memory[i % words] = static_cast<uint16_t>(memory[i % words] * 3 + 1);
      answered.push();
    }
  }
};
template struct ChangedByAnother<>;

#ifndef __HLSC__
KERNEL(ChangedByAnother<>) {
  process(&K::run);
  process(&K::change);
  put_any(&K::in, random, 60);
  output(&K::out);
}
#endif
