// SPDX-License-Identifier: Apache-2.0
//
// A pipelined loop reads the word of the next iteration only after the token for it, which an
// iteration reads last.
#include "tests/hls/kernel.h"

template <uint32_t words = 64>
struct NextWhenTold {
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(uint32_t, factor, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_TOKENS(written, 1);
  HLS_RAM(uint32_t, memory, words);

  HLS_PROCESS writer() {
    for (uint32_t i = 0;; ++i) {
      memory[i % words] = in.read();
      written.push();
    }
  }
  HLS_PROCESS reader() {
    written.pop();
    for (uint32_t i = 0;; ++i) {
      HLS_PIPELINE(2);
      const uint32_t by = factor.read();
      const uint32_t word = memory[i % words];
      out.write(word + (by * by + 1) * by);
      written.pop();
    }
  }
};
template struct NextWhenTold<>;

#ifndef __HLSC__
KERNEL(NextWhenTold<>) {
  process(&K::writer);
  process(&K::reader);
  put_any(&K::in, random, 60);
  put_any(&K::factor, random, 60);
  output(&K::out);
}
#endif
