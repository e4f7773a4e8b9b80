// SPDX-License-Identifier: Apache-2.0
//
// A word is in memory before the first of two tokens is sent, although the second token must wait
// until the reader has read the word.
#include "tests/hls/kernel.h"

template <uint32_t words = 16>
struct TokensInTurn {
  HLS_TOKENS(written, 4);
  HLS_TOKENS(room, 1);
  HLS_STREAM(uint8_t, next, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint32_t, memory, words);

  HLS_PROCESS writer() {
    for (uint32_t i = 0;; ++i) {
      memory[i % words] = (i << 8) + i;
      written.push();
      room.push();
      next.read();
    }
  }
  HLS_PROCESS reader() {
    for (uint32_t i = 0;; i += 2) {
      written.pop();
      const uint32_t first = memory[i % words];
      written.pop();
      const uint32_t second = memory[(i + 1) % words];
      room.pop();
      room.pop();
      out.write(first);
      out.write(second);
    }
  }
};
template struct TokensInTurn<>;

#ifndef __HLSC__
KERNEL(TokensInTurn<>) {
  process(&K::writer);
  process(&K::reader);
  put_any(&K::next, random, 60);
  output(&K::out);
}
#endif
