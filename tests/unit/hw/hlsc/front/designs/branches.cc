// SPDX-License-Identifier: Apache-2.0
//
// Branches, a switch, a nest of loops, a memory and a register: see front_end_test.cc.
#include "hw/hls/pragma.h"
#include "hw/hls/stream.h"

template <int words>
struct Branches {
  HLS_STREAM(uint32_t, in, 4);
  HLS_STREAM(uint32_t, out, 4);
  HLS_RAM(uint32_t, table, words);
  HLS_REGISTER(uint32_t, total);

  HLS_PROCESS work() {
    for (;;) {
      const uint32_t op = in.read(), n = in.read();
      uint32_t result = 0;
      switch (op) {
        case 0:
          result = n * 3;
          break;
        case 1:
          result = n >> 1;
          break;
        case 2:
          for (uint32_t i = 0; i < n; ++i) {
            for (uint32_t k = 0; k < i; ++k) {
              HLS_PIPELINE(1);
              table[(i + k) % words] += k + 1;
            }
          }
          result = table[n % words];
          break;
        default:
          result = n > 9 ? 1 : in.read();
      }
      total += result;
      out.write(total);
      if (op == 7) out.write(result);
    }
  }
};

template struct Branches<16>;
