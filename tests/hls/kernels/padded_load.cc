// SPDX-License-Identifier: Apache-2.0
//
// A 2-D load with padding, as in the core: DRAM rows become RAM words, which are then output.
#include "tests/hls/kernel.h"

template <uint32_t words = 128>
struct PaddedLoad {
  struct Plan {
    uint32_t address, stride;
    uint8_t y_size, x_size, y_pad, x_pad;
  };
  HLS_STREAM(Plan, requests, 1);
  HLS_STREAM(Plan, plans, 1);
  HLS_STREAM(uint64_t, out, 2);
  HLS_READ_PORT(rows, 4);
  HLS_RAM(uint64_t, memory, words);

  HLS_PROCESS request() {
    for (;;) {
      Plan plan = requests.read();
      for (uint8_t y = 0; y < plan.y_size; ++y) {
        rows.request(plan.address, plan.x_size);  // at most 16 beats, aligned
        plan.address += plan.stride;
      }
    }
  }
  HLS_PROCESS load() {
    for (;;) {
      const Plan plan = plans.read();
      const uint32_t y_end = plan.y_pad + plan.y_size, x_end = plan.x_pad + plan.x_size;
      uint32_t element = 0;
      for (uint32_t y = 0; y < y_end + plan.y_pad; ++y) {
        for (uint32_t x = 0; x < x_end + plan.x_pad; ++x) {
          HLS_PIPELINE(1);
          const bool pad = (y < plan.y_pad) | (y >= y_end) | (x < plan.x_pad) | (x >= x_end);
          memory[element++ & (words - 1)] = pad ? 0 : rows.read();
        }
      }
      for (uint32_t i = 0; i < element; ++i) {
        HLS_PIPELINE(1);
        out.write(memory[i & (words - 1)]);
      }
    }
  }
};
template struct PaddedLoad<>;

#ifndef __HLSC__
KERNEL(PaddedLoad<>) {
  process(&K::request), process(&K::load), output(&K::out);
  dram(random, 16384);
  port(&K::rows);
  for (uint32_t i = 0; i < 8; ++i) {
    const auto draw = [&](int high) { return static_cast<uint8_t>(random.between(0, high)); };
    const uint8_t columns = static_cast<uint8_t>(draw(8) + 1), pad = draw(1);
    const K::Plan plan = {i * 1024, 128, draw(6), columns, pad, draw(1)};
    put(&K::requests, plan), put(&K::plans, plan);
  }
}
#endif
