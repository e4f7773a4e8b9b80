// SPDX-License-Identifier: Apache-2.0
//
// Three processes; the last returns credits, of which the first starts with four.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct TokenRing {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, first_to_second, 2);
  HLS_STREAM(T, second_to_third, 8);
  HLS_STREAM(T, out, 1);
  HLS_TOKENS(credits, 4);

  HLS_PROCESS first() {
    uint32_t owned = 4;
    for (;;) {
      const T x = in.read();
      if (owned == 0) {
        credits.pop();
        owned = 1;
      }
      owned--;
      first_to_second.write(x ^ 0x5a5a5a5a);
    }
  }
  HLS_PROCESS second() {
    for (;;) {
      HLS_PIPELINE(1);
      const T x = first_to_second.read();
      second_to_third.write(x + (x << 3));
    }
  }
  HLS_PROCESS third() {
    for (;;) {
      out.write(second_to_third.read());
      credits.push();
    }
  }
};
template struct TokenRing<>;

#ifndef __HLSC__
KERNEL(TokenRing<>) {
  process(&K::first);
  process(&K::second);
  process(&K::third);
  put_any(&K::in, random, 150);
  output(&K::out);
}
#endif
