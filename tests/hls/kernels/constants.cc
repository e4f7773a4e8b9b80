// SPDX-License-Identifier: Apache-2.0
//
// HLS_INPUTs: a limit and a mode.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct Constants {
  HLS_INPUT(T, limit);
  HLS_INPUT(uint8_t, mode);
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const T x = in.read();
      if (x < limit) out.write(mode == 0 ? x : mode == 1 ? limit - x : x ^ limit);
    }
  }
};
template struct Constants<>;

#ifndef __HLSC__
KERNEL(Constants<>) {
  process(&K::run);
  constant("limit", &K::limit, static_cast<uint32_t>(random.next()) | 0x40000000);
  constant("mode", &K::mode, static_cast<uint8_t>(random.between(0, 2)));
  put_any(&K::in, random, 150);
  output(&K::out);
}
#endif
