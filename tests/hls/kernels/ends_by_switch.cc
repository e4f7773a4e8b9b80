// SPDX-License-Identifier: Apache-2.0
//
// Loops that end at one of several values: LLVM turns their tests into switches.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct EndsBySwitch {
  HLS_STREAM(uint8_t, in, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      uint8_t x = in.read();
      T sum = 0;
      while (x != 3 && x != 7 && x != 11) {
        sum += x;
        x = in.read();
      }
      out.write(sum);
      do {
        x = in.read();
        ++sum;
      } while (x == 1 || x == 2 || x == 9);
      out.write(sum);
      uint8_t state = x & 3;
      while (state != 3) {
        switch (state) {
          case 0:
            state = in.read() & 3;
            break;
          case 1:
            sum += 100;
            state = 2;
            break;
          default:
            state = in.read() & 1 ? 3 : 1;
            out.write(sum);
        }
      }
      out.write(sum);
    }
  }
};
template struct EndsBySwitch<>;

#ifndef __HLSC__
KERNEL(EndsBySwitch<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 300; ++i) put(&K::in, static_cast<uint8_t>(random.between(0, 12)));
}
#endif
