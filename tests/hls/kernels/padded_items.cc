// SPDX-License-Identifier: Apache-2.0
//
// Structs with padding, wide fields of few used bits, and unused fields go from one process to
// another.
#include "tests/hls/kernel.h"

template <uint32_t depth = 3>
struct PaddedItems {
  struct Plan {
    bool first;
    uint32_t count;  // of 5 bits
    uint8_t unread;
    int64_t offset;  // -1 or 0
    uint16_t step;   // a multiple of 4
    uint8_t kind;    // 8 plus one bit
  };
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(Plan, plans, depth);
  HLS_STREAM(uint32_t, out, 2);

  HLS_PROCESS plan() {
    for (;;) {
      const uint32_t x = in.read();
      Plan p;
      p.first = (x & 64) != 0;
      p.count = x & 31;
      p.unread = static_cast<uint8_t>(x >> 9);
      p.offset = p.first ? -1 : 0;
      p.step = static_cast<uint16_t>((x >> 4) & 0xfffc);
      p.kind = static_cast<uint8_t>(8 | ((x >> 7) & 1));
      plans.write(p);
    }
  }
  HLS_PROCESS work() {
    for (;;) {
      const Plan p = plans.read();
      uint32_t value = static_cast<uint32_t>(p.offset) + p.kind;
      for (uint32_t i = 0; i < p.count; ++i) {
        HLS_PIPELINE(1);
        out.write(value);
        value += p.step;
      }
    }
  }
};
template struct PaddedItems<>;

#ifndef __HLSC__
KERNEL(PaddedItems<>) {
  process(&K::plan);
  process(&K::work);
  put_any(&K::in, random, 60);
  output(&K::out);
}
#endif
