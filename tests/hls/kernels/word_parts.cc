// SPDX-License-Identifier: Apache-2.0
//
// Words of several arrays: parts are written separately, under conditions, and read separately.
#include "tests/hls/kernel.h"

template <uint32_t lanes = 4>
struct WordParts {
  struct Word {
    uint16_t low[lanes];
    uint16_t high[lanes];
  };
  struct Access {
    uint8_t index, lane;
    uint16_t value;
  };
  HLS_STREAM(Access, in, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(Word, words, 8);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < 8; ++i) {
      HLS_PIPELINE(1);
      words[i] = Word{};
    }
    for (;;) {
      HLS_PIPELINE(1);
      const Access x = in.read();
      Word& word = words[x.index & 7];
      const uint32_t lane = x.lane & (lanes - 1);
      const uint32_t before = (uint32_t(word.high[lane]) << 16) | word.low[2];
      if (x.value & 1) word.low[lane] = x.value;
      if (x.value & 2) word.high[lane] = static_cast<uint16_t>(~x.value);
      if ((x.value & 15) == 8) word.low[2] = word.high[1];
      out.write(before);
    }
  }
};
template struct WordParts<>;

#ifndef __HLSC__
KERNEL(WordParts<>) {
  process(&K::run);
  put_any(&K::in, random, 300);
  output(&K::out);
}
#endif
