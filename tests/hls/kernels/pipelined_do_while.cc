// SPDX-License-Identifier: Apache-2.0
//
// Pipelined loops that act before they test: with a test at the end, and with one in the middle.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct PipelinedDoWhile {
  HLS_STREAM(T, in, 4);
  HLS_STREAM(T, out, 3);
  HLS_REGISTER(T, sum);

  HLS_PROCESS run() {
    for (;;) {
      const T x = in.read();
      const uint32_t count = x & 7;
      for (uint32_t i = 3; i != 0; --i) {
        uint32_t n = 0;
        do {
          HLS_PIPELINE(1);
          out.write(x ^ (n << 8 | i));
          sum = sum + x;
        } while (++n <= count);
        out.write(n + sum);
      }
      uint32_t m = 0;
      for (;;) {
        HLS_PIPELINE(2);
        out.write(m);
        if (m >= count) break;
        m++;
        out.write(sum + m);
        sum = sum ^ m;
      }
      out.write(m);
    }
  }
};
template struct PipelinedDoWhile<>;

#ifndef __HLSC__
KERNEL(PipelinedDoWhile<>) {
  process(&K::run);
  put_any(&K::in, random, 30);
  output(&K::out);
}
#endif
