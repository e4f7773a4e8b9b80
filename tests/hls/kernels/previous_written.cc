// SPDX-License-Identifier: Apache-2.0
//
// A pipelined loop's token states that the previous iteration's word is in memory; the word takes
// several stages, the token none.
#include "tests/hls/kernel.h"

template <uint32_t words = 64>
struct PreviousWritten {
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_TOKENS(written, 2);
  HLS_RAM(uint32_t, memory, words);

  HLS_PROCESS writer() {
    for (uint32_t i = 0;; ++i) {
      HLS_PIPELINE(1);
      const uint32_t x = in.read();
      if (i != 0) written.push();
      memory[i % words] = (x * x + 1) * x;
    }
  }
  HLS_PROCESS reader() {
    for (uint32_t i = 0;; ++i) {
      written.pop();
      out.write(memory[i % words]);
    }
  }
};
template struct PreviousWritten<>;

#ifndef __HLSC__
KERNEL(PreviousWritten<>) {
  process(&K::writer);
  process(&K::reader);
  put_any(&K::in, random, 60);
  output(&K::out);
}
#endif
