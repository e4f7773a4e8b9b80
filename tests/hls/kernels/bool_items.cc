// SPDX-License-Identifier: Apache-2.0
//
// Streams of bool, bool registers, and an array of them in a struct.
#include "tests/hls/kernel.h"

template <class T = bool>
struct BoolItems {
  struct Flags {
    bool v[4];
  };
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, parity, 2);
  HLS_STREAM(Flags, last, 2);
  HLS_REGISTER(bool, odd);
  HLS_REGISTER(Flags, flags);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const T x = in.read();
      odd = odd != x;
      flags.v[3] = flags.v[2] && x;
      flags.v[2] = flags.v[1] || x;
      flags.v[1] = flags.v[0];
      flags.v[0] = !x;
      parity.write(odd);
      last.write(flags);
    }
  }
};
template struct BoolItems<>;

#ifndef __HLSC__
KERNEL(BoolItems<>) {
  process(&K::run);
  output(&K::parity);
  output(&K::last);
  for (int i = 0; i < 200; ++i) put(&K::in, random.chance(60));
}
#endif
