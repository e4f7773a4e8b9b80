// SPDX-License-Identifier: Apache-2.0
//
// Runs of equal items, ended by a different item or by the end of a block.
#include "tests/hls/kernel.h"

template <class T = uint8_t>
struct RunLengthEncoder {
  struct Run {
    T value, length;
  };
  HLS_STREAM(uint16_t, length, 1);
  HLS_STREAM(T, in, 2);
  HLS_STREAM(Run, out, 2);
  HLS_REGISTER(Run, current);

  HLS_PROCESS run() {
    for (;;) {
      const uint16_t n = length.read();
      current = Run{0, 0};
      for (uint16_t i = 0; i < n; ++i) {
        HLS_PIPELINE(1);
        const T x = in.read();
        if ((x == current.value) & (current.length != 0) & (current.length != 255)) {
          current.length++;
        } else {
          if (current.length != 0) out.write(current);
          current.value = x;
          current.length = 1;
        }
      }
      if (current.length != 0) out.write(current);
    }
  }
};
template struct RunLengthEncoder<>;

#ifndef __HLSC__
KERNEL(RunLengthEncoder<>) {
  process(&K::run);
  output(&K::out);
  for (int64_t length : {0, 1, 5, 40, 300, 0, 80}) {
    put(&K::length, length);
    for (int64_t i = 0; i < length; ++i) put(&K::in, length == 300 || random.chance(70) ? 7 : 8);
  }
}
#endif
