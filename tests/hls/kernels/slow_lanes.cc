// SPDX-License-Identifier: Apache-2.0
//
// Multiplies some lanes of a few words, one iteration every cycle: a word includes the lanes that
// older iterations write to it.
#include "tests/hls/kernel.h"

template <uint32_t words = 4, uint32_t lanes = 4>
struct SlowLanes {
  struct Word {
    uint32_t v[lanes];
  };
  struct MicroOp {
    uint8_t at, mask;
    uint16_t by;
  };
  HLS_STREAM(MicroOp, ops, 4);
  HLS_STREAM(Word, out, 2);
  HLS_RAM(Word, memory, words);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < words; ++i) {
      HLS_PIPELINE(1);
      memory[i] = Word{{i, i + 1, i + 2, i + 3}};
    }
    for (;;) {
      HLS_PIPELINE(1);
      const MicroOp op = ops.read();
      Word& word = memory[op.at % words];
      const Word before = word;
      HLS_UNROLL
      for (uint32_t i = 0; i < lanes; ++i) {
        if ((op.mask >> i & 1) != 0) word.v[i] = before.v[i] * (op.by * 65537u) + 1;
      }
      if ((op.at & 64) != 0) out.write(before);
    }
  }
};
template struct SlowLanes<>;

#ifndef __HLSC__
KERNEL(SlowLanes<>) {
  process(&K::run);
  output(&K::out);
  put_any(&K::ops, random, 300);
}
#endif
