// SPDX-License-Identifier: Apache-2.0
//
// A pipelined loop sends in its first stage and reads in a later one, as it takes cycles to compute
// whether it reads: where the input ends, younger iterations have sent already.
#include "tests/hls/kernel.h"

template <class T = void>
struct RunsAhead {
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint16_t, begun, 2);
  HLS_STREAM(uint16_t, out, 2);

  HLS_PROCESS run() {
    for (uint32_t i = 0;; ++i) {
      HLS_PIPELINE(1);
      begun.write(static_cast<uint16_t>(i));
      if (i * i * i % 7 != 1) out.write(in.read());
    }
  }
};
template struct RunsAhead<>;

#ifndef __HLSC__
KERNEL(RunsAhead<>) {
  process(&K::run);
  put_any(&K::in, random, 50);
  put_any_later(&K::in, random, 50);
  output(&K::begun);
  output(&K::out);
}
#endif
