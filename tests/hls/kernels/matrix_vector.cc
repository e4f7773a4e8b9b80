// SPDX-License-Identifier: Apache-2.0
//
// A matrix of wide words times a vector in a register.
#include "tests/hls/kernel.h"

template <uint32_t lanes = 8>
struct MatrixVector {
  struct Word {
    int8_t v[lanes];
  };
  HLS_STREAM(Word, rows, 2);
  HLS_STREAM(Word, vectors, 2);
  HLS_STREAM(int32_t, out, 4);
  HLS_RAM(Word, matrix, 16);
  HLS_REGISTER(Word, x);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < 16; ++i) {
      HLS_PIPELINE(1);
      matrix[i] = rows.read();
    }
    for (;;) {
      x = vectors.read();
      for (uint32_t i = 0; i < 16; ++i) {
        HLS_PIPELINE(1);
        const Word row = matrix[i];
        int32_t sum = 0;
        HLS_UNROLL
        for (uint32_t k = 0; k < lanes; ++k) sum += row.v[k] * x.v[k];
        out.write(sum);
      }
    }
  }
};
template struct MatrixVector<>;

#ifndef __HLSC__
KERNEL(MatrixVector<>) {
  process(&K::run);
  put_any(&K::rows, random, 16);
  put_any(&K::vectors, random, 12);
  output(&K::out);
}
#endif
