// SPDX-License-Identifier: Apache-2.0
//
// Partial unrolling: of a pipelined loop that reads four entries at a time, of a loop with steps,
// of one whose count is all iterations, and of a nest.
#include "tests/hls/kernel.h"

template <int size = 32>
struct UnrolledBy {
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint16_t, memory, size);

  HLS_PROCESS run() {
    for (;;) {
      uint16_t values[size];
      for (int i = 0; i < size; ++i) values[i] = in.read();
      uint32_t sum = 0;
      HLS_UNROLL_BY(4)
      for (int i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        sum += static_cast<uint32_t>(values[i] * i);
      }
      out.write(sum);
      HLS_UNROLL_BY(2)
      for (int i = 0; i < size; i += 8) sum = sum * 3 ^ values[i];
      HLS_UNROLL_BY(8)
      for (int i = 0; i < 8; ++i) sum ^= static_cast<uint32_t>(values[i]) << i;
      out.write(sum);
      for (int i = 0; i < size; ++i) memory[i] = values[size - 1 - i];
      for (int row = 0; row < 4; ++row) {
        HLS_UNROLL_BY(2)
        for (int column = 0; column < size / 4; ++column) {
          HLS_PIPELINE(2);
          const uint32_t word = memory[row * (size / 4) + column];
          out.write(word * static_cast<uint32_t>(column + 1));
        }
      }
    }
  }
};
template struct UnrolledBy<>;

#ifndef __HLSC__
KERNEL(UnrolledBy<>) {
  process(&K::run);
  output(&K::out);
  put_any(&K::in, random, 32 * 4);
}
#endif
