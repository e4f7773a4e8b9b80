// SPDX-License-Identifier: Apache-2.0
//
// Initial contents: a ROM that two processes read, a RAM of bins that start at other values than 0,
// one of zeros, a block RAM, words of several lanes in banks, interleaved ones, one that two
// processes read and one writes, words with unions, a struct as a register.
#include "tests/hls/kernel.h"

template <int size = 16>
struct InitialContents {
  struct Pair {
    uint8_t v[2];
  };
  struct State {
    uint16_t count;
    int32_t offset;
  };
  struct Either {
    union {
      uint8_t parts[2];
      uint16_t all;
    };
  };
  static constexpr int16_t cube(int x) { return static_cast<int16_t>(x * x * x - 100); }

  HLS_STREAM(uint8_t, in, 2);
  HLS_STREAM(int32_t, mid, 2);
  HLS_STREAM(int32_t, out, 2);
  HLS_RAM(const int16_t, cubes, size) = {
    cube(0),
    cube(1),
    cube(2),
    cube(3),
    cube(4),
    cube(5),
    cube(6),
    cube(7),
    cube(8),
    cube(9),
    cube(10),
    cube(11),
    -1,
    0x7fff,
    -0x8000,
    12345
  };
  HLS_RAM(uint16_t, bins, size) = { 1000, 2, 3000 };
  HLS_RAM(uint32_t, zeros, size) = {};
  HLS_RAM(const uint16_t, block, 8 * size) = { 9, 90, 900, 9000, 0, 1 };
  HLS_BANKED_RAM(Pair, pairs, size, 2) = {
    {{1, 2}},
    {{3, 4}},
    {{5, 6}},
    {{}},
    {{}},
    {{}},
    {{}},
    {{7, 8}},
    {{9, 10}}
  };
  HLS_INTERLEAVED_RAM(uint8_t, ways, size, 2, 1) = {
    10,
    11,
    12,
    13,
    14,
    15,
    16,
    17,
    18,
    19,
    20,
    21,
    22,
    23,
    24,
    25
  };
  HLS_RAM(uint8_t, shared, size) = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
  HLS_RAM(Either, either, 4) = { {{.parts = {1, 2}}}, {{.all = 700}}, {{.parts = {3}}} };
  HLS_REGISTER(State, state) = { 7, -70000 };
  HLS_REGISTER(uint8_t, constant) = 0xa5;

  HLS_PROCESS first() {
    for (;;) {
      const uint8_t item = in.read();
      const uint8_t at = item & (size - 1);
      const uint16_t bin = bins[at];
      bins[at] = static_cast<uint16_t>(bin + item);
      zeros[at] += bin;
      pairs[at].v[item >> 7] += 1;
      ways[at] ^= ways[at ^ 1];
      shared[8 | at] += shared[at];
      either[at & 3].all += 1;
      state.count++;
      state.offset += ways[at];
      mid.write(cubes[at] + bin + either[at >> 2].all + static_cast<int32_t>(zeros[at]) +
                pairs[at].v[0] + 256 * pairs[at].v[1] + state.offset + state.count + constant);
    }
  }
  HLS_PROCESS second() {
    for (;;) {
      HLS_PIPELINE(1);
      const int32_t item = mid.read();
      out.write(item ^ cubes[item & (size - 1)] ^ shared[item & 7] ^ block[item & 7]);
    }
  }
};
template struct InitialContents<>;

#ifndef __HLSC__
KERNEL(InitialContents<>) {
  process(&K::first);
  process(&K::second);
  put_any(&K::in, random, 100);
  output(&K::out);
}
#endif
