// SPDX-License-Identifier: Apache-2.0
//
// Two processes read a RAM; the second also writes it, in the cycle in which it reads.
#include "tests/hls/kernel.h"

template <uint32_t words = 16>
struct SecondReaderWrites {
  HLS_TOKENS(written, 2);
  HLS_TOKENS(seen, 2);
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(uint32_t, before, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint32_t, memory, words);

  HLS_PROCESS look() {
    for (uint32_t i = 0;; ++i) {
      written.pop();
      out.write(memory[i % words]);
      seen.push();
    }
  }
  HLS_PROCESS update() {
    for (uint32_t i = 0; i < words; ++i) memory[i] = i;
    for (uint32_t i = 0;; ++i) {
      const uint32_t x = in.read();
      const uint32_t old = memory[(i + 5) % words];
      memory[i % words] = x;
      written.push();
      before.write(old);
      seen.pop();
    }
  }
};
template struct SecondReaderWrites<>;

#ifndef __HLSC__
KERNEL(SecondReaderWrites<>) {
  process(&K::look);
  process(&K::update);
  put_any(&K::in, random, 60);
  output(&K::before);
  output(&K::out);
}
#endif
