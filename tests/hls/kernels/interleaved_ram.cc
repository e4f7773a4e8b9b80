// SPDX-License-Identifier: Apache-2.0
//
// Two consecutive words of an interleaved RAM are read in one cycle, and two words of another one
// updated; other accesses have an index of unknown low bits. A second process fills the first RAM.
#include "tests/hls/kernel.h"

template <uint32_t size = 32>
struct InterleavedRam {
  HLS_STREAM(uint32_t, in, 2);
  HLS_TOKENS(filled, 1);
  HLS_TOKENS(taken, 1);
  HLS_STREAM(uint32_t, out, 2);
  HLS_INTERLEAVED_RAM(uint32_t, memory, size, 4, 1);
  HLS_INTERLEAVED_RAM(uint32_t, sums, size, 2, 2);

  HLS_PROCESS writer() {
    for (;;) {
      for (uint32_t i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        memory[i ^ 5] = in.read();
      }
      filled.push();
      taken.pop();
    }
  }
  HLS_PROCESS adder() {
    for (uint32_t i = 0; i < size; ++i) {
      HLS_PIPELINE(1);
      sums[i] = i;
    }
    for (;;) {
      filled.pop();
      for (uint32_t i = 0; i < size - 1; ++i) {
        HLS_PIPELINE(1);
        uint32_t words[4];
        HLS_UNROLL
        for (uint32_t way = 0; way < 4; ++way)
          words[way] = memory[((i % 4 == way ? i : i + 1) & ~3u) | way];
        const uint32_t first = words[i % 4], second = words[(i + 1) % 4];
        const uint32_t even = i >> 3 << 1;
        sums[even] += first;
        sums[even | 1] += second ^ first;
      }
      for (uint32_t i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        const uint32_t word = sums[i ^ 1];
        sums[i ^ 1] = word >> 1;
        out.write(word);
      }
      taken.push();
    }
  }
};
template struct InterleavedRam<>;

#ifndef __HLSC__
KERNEL(InterleavedRam<>) {
  process(&K::writer);
  process(&K::adder);
  put_any(&K::in, random, 32 * 4);
  output(&K::out);
}
#endif
