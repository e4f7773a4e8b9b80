// SPDX-License-Identifier: Apache-2.0
//
// A process that waits for a token before it writes a RAM does not block the RAM's port for the
// process that sends the token.
#include "tests/hls/kernel.h"

template <int unused = 0>
struct PortWhileWaiting {
  HLS_STREAM(uint8_t, in, 2);
  HLS_STREAM(uint8_t, out, 2);
  HLS_TOKENS(written, 2);
  HLS_TOKENS(answered, 2);
  HLS_RAM(uint8_t, words, 4);

  HLS_PROCESS first() {
    for (;;) {
      written.pop();
      words[0] = 7;
      answered.push();
    }
  }
  HLS_PROCESS second() {
    for (;;) {
      words[1] = in.read();
      written.push();
      answered.pop();
      out.write(static_cast<uint8_t>(words[0] + words[1]));
    }
  }
};
template struct PortWhileWaiting<>;

#ifndef __HLSC__
KERNEL(PortWhileWaiting<>) {
  process(&K::first);
  process(&K::second);
  put_any(&K::in, random, 40);
  output(&K::out);
}
#endif
