// SPDX-License-Identifier: Apache-2.0
//
// Tokens from outside and to outside: a semaphore around batches of work.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct OutsideTokens {
  HLS_TOKENS(start, 2);
  HLS_TOKENS(finish, 3);
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      start.pop();
      T sum = 0;
      for (uint8_t i = 0; i < 5; ++i) {
        HLS_PIPELINE(1);
        sum ^= in.read() + i;
      }
      out.write(sum);
      finish.push();
    }
  }
};
template struct OutsideTokens<>;

#ifndef __HLSC__
KERNEL(OutsideTokens<>) {
  process(&K::run);
  put_tokens(&K::start, 20);
  put_any(&K::in, random, 100);
  output(&K::out);
  output(&K::finish);
}
#endif
