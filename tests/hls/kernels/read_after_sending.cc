// SPDX-License-Identifier: Apache-2.0
//
// A pipelined loop writes a memory that another process reads too, sends items and reads the memory
// again: items and accesses keep their order, so the reads come after writes of their iteration.
#include "tests/hls/kernel.h"

template <uint32_t words = 8>
struct ReadAfterSending {
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint16_t, even, 2);
  HLS_STREAM(uint16_t, sent, 2);
  HLS_STREAM(uint16_t, out, 2);
  HLS_STREAM(uint16_t, seen, 2);
  HLS_TOKENS(asked, 1);
  HLS_TOKENS(answered, 1);
  HLS_RAM(uint16_t, memory, words);

  HLS_PROCESS run() {
    for (uint32_t i = 0;; ++i) {
      HLS_PIPELINE(6);
      const uint16_t x = in.read();
      uint16_t word = 0;
      if ((x & 1) != 0) {
        memory[(x >> 1) % words] = x;
        memory[(x >> 4) % words] = static_cast<uint16_t>(x + 1);
      } else {
        even.write(x);
        word = memory[(x >> 7) % words];
      }
      memory[(x >> 10) % words] = static_cast<uint16_t>(word + i);
      sent.write(x);
      out.write(memory[(x >> 13) % words]);
      asked.push();
      answered.pop();
    }
  }
  HLS_PROCESS look() {
    for (uint32_t i = 0;; ++i) {
      asked.pop();
      seen.write(memory[i % words]);
      answered.push();
    }
  }
};
template struct ReadAfterSending<>;

#ifndef __HLSC__
KERNEL(ReadAfterSending<>) {
  process(&K::run);
  process(&K::look);
  put_any(&K::in, random, 200);
  output(&K::even);
  output(&K::sent);
  output(&K::out);
  output(&K::seen);
}
#endif
