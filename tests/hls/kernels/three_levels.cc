// SPDX-License-Identifier: Apache-2.0
//
// A nest with an address for each level, as micro-ops have: out, in, element.
#include "tests/hls/kernel.h"

template <uint32_t words = 64>
struct ThreeLevels {
  struct Command {
    uint16_t base, outer, inner, count, outer_step, inner_step;
  };
  HLS_STREAM(Command, commands, 1);
  HLS_STREAM(uint32_t, in, 2);
  HLS_STREAM(uint32_t, out, 2);
  HLS_RAM(uint32_t, memory, words);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < words; ++i) {
      HLS_PIPELINE(1);
      memory[i] = in.read();
    }
    for (;;) {
      const Command command = commands.read();
      uint32_t outer = command.base;
      for (uint16_t i = 0; i < command.outer; ++i) {
        uint32_t inner = outer;
        for (uint16_t j = 0; j < command.inner; ++j) {
          for (uint16_t k = 0; k < command.count; ++k) {
            HLS_PIPELINE(1);
            out.write(memory[(inner + k) & (words - 1)]);
          }
          inner += command.inner_step;
        }
        outer += command.outer_step;
      }
    }
  }
};
template struct ThreeLevels<>;

#ifndef __HLSC__
KERNEL(ThreeLevels<>) {
  process(&K::run);
  put_any(&K::in, random, 64);
  output(&K::out);
  for (int i = 0; i < 12; ++i) {
    const auto draw = [&](int high) { return static_cast<uint16_t>(random.between(0, high)); };
    put(&K::commands, {draw(63), draw(4), draw(4), draw(5), draw(20), draw(9)});
  }
}
#endif
