// SPDX-License-Identifier: Apache-2.0
//
// A loop whose exit depends on the item that it reads: not pipelined, a state machine.
#include "tests/hls/kernel.h"

template <class T = uint16_t>
struct UntilMarker {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, sums, 2);

  HLS_PROCESS run() {
    for (;;) {
      T sum = 0;
      T x = in.read();
      while (x != 0xffff) {
        sum = static_cast<T>(sum + x);
        x = in.read();
      }
      sums.write(sum);
    }
  }
};
template struct UntilMarker<>;

#ifndef __HLSC__
KERNEL(UntilMarker<>) {
  process(&K::run);
  output(&K::sums);
  for (int i = 0; i < 100; ++i) put(&K::in, random.chance(15) ? 0xffff : random.between(0, 999));
}
#endif
