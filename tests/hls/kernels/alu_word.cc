// SPDX-License-Identifier: Apache-2.0
//
// dst = dst + src on lanes of one RAM: two reads, one write, read-modify-write, interval 2.
#include "tests/hls/kernel.h"

template <uint32_t lanes = 4>
struct AluWord {
  struct Word {
    int32_t v[lanes];
  };
  struct MicroOp {
    uint8_t dst, src;
  };
  HLS_STREAM(Word, in, 2);
  HLS_STREAM(MicroOp, ops, 4);
  HLS_STREAM(Word, out, 2);
  HLS_RAM(Word, acc, 16);

  HLS_PROCESS run() {
    for (;;) {
      for (uint32_t i = 0; i < 16; ++i) {
        HLS_PIPELINE(1);
        acc[i] = in.read();
      }
      for (uint32_t n = 0; n < 50; ++n) {
        HLS_PIPELINE(2);
        const MicroOp op = ops.read();
        Word word = acc[op.dst & 15];
        const Word other = acc[op.src & 15];
        HLS_UNROLL
        for (uint32_t i = 0; i < lanes; ++i) word.v[i] = (word.v[i] >> 1) + (other.v[i] >> 1);
        acc[op.dst & 15] = word;
      }
      for (uint32_t i = 0; i < 16; ++i) {
        HLS_PIPELINE(1);
        out.write(acc[i]);
      }
    }
  }
};
template struct AluWord<>;

#ifndef __HLSC__
KERNEL(AluWord<>) {
  process(&K::run);
  output(&K::out);
  put_any(&K::in, random, 5 * 16);
  for (int i = 0; i < 5 * 50; ++i) {
    const int64_t spread = i < 100 ? 1 : 15;
    put(&K::ops, {static_cast<uint8_t>(random.between(0, spread)),
                  static_cast<uint8_t>(random.between(0, spread))});
  }
}
#endif
