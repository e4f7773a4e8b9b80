// SPDX-License-Identifier: Apache-2.0
//
// A search that stops some iterations after the first hit; its effects stop at once.
#include "tests/hls/kernel.h"

template <uint32_t size = 32>
struct LateExit {
  HLS_STREAM(uint8_t, in, 2);
  HLS_STREAM(uint8_t, wanted, 1);
  HLS_STREAM(uint32_t, out, 1);
  HLS_RAM(uint8_t, table, size);
  HLS_REGISTER(bool, found);
  HLS_REGISTER(uint32_t, looked_at);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < size; ++i) {
      HLS_PIPELINE(1);
      table[i] = in.read();
    }
    for (;;) {
      const uint8_t key = wanted.read();
      found = false;
      looked_at = 0;
      for (uint32_t i = 0; (i < size) & !HLS_LATE(found); ++i) {
        HLS_PIPELINE(1);
        if (found) continue;
        looked_at++;
        if (table[i] == key) found = true;
      }
      out.write(found ? looked_at : 0xffffffff);
    }
  }
};
template struct LateExit<>;

#ifndef __HLSC__
KERNEL(LateExit<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 32; ++i) put(&K::in, random.between(0, 63));
  for (int i = 0; i < 30; ++i) put(&K::wanted, random.between(0, 63));
}
#endif
