// SPDX-License-Identifier: Apache-2.0
//
// Loops with several exits: a condition with && that reads memory, break and continue beside the
// condition, jumps to different places, and a return from an inner loop, which ends the process.
#include "tests/hls/kernel.h"

template <uint32_t size = 16>
struct SeveralExits {
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint32_t, table, size);

  // The first place of an item in the table that is not larger; `size` if there is none.
  HLS_MEMBER uint32_t first_at_most(uint32_t item) {
    uint32_t at = 0;
    while (at < size && table[at] > item) ++at;
    return at;
  }
  // The sum of the entries before the first that is 0, but not more than 100; odd entries do not
  // count.
  HLS_MEMBER uint32_t sum_of_even() {
    uint32_t sum = 0, count = 0;
    for (uint32_t i = 0; i < size; ++i) {
      const uint32_t entry = table[i];
      if (entry == 0) break;
      if ((entry & 1) != 0) continue;
      sum += entry;
      ++count;
      if (sum > 100) {
        sum = 100;
        break;
      }
    }
    return sum + (count << 16);
  }
  HLS_MEMBER uint32_t kind_of(uint32_t item) {
    uint32_t steps = 0;
    for (;;) {
      switch (item & 3) {
        case 1:
          goto one;
        case 2:
          goto two;
        default:
          ++steps;
          if (steps == 9) return 7;
          item = (item >> 2) + 3;
      }
    }
  one:
    return 1000 + steps;
  two:
    return 2000 + steps;
  }

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < size; ++i) table[i] = in.read() & 63;
    for (;;) {
      for (uint32_t i = 0; i < size; ++i) {
        const uint32_t item = in.read();
        if (item == 0) return;
        if ((item & 31) == 31) break;
        table[i] = (item >> 5) & 63;
        out.write(first_at_most(item & 63));
        out.write(kind_of(item));
      }
      out.write(sum_of_even());
    }
  }
};
template struct SeveralExits<>;

#ifndef __HLSC__
KERNEL(SeveralExits<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 150; ++i) put(&K::in, random.between(1, 4095));
  put(&K::in, 0);
}
#endif
