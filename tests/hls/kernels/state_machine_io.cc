// SPDX-License-Identifier: Apache-2.0
//
// Waits at several places of one sequence, some of them conditional, between two loops.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct StateMachineIo {
  HLS_STREAM(T, a, 1);
  HLS_STREAM(T, b, 1);
  HLS_STREAM(T, out, 1);
  HLS_STREAM(T, log, 1);

  HLS_PROCESS run() {
    T total = 0;
    for (;;) {
      const T first = a.read();
      if (first & 1) log.write(first);
      const T second = b.read() ^ first;
      for (T i = 0; i < (second & 3); ++i) total += a.read() >> i;
      if (second & 4) {
        for (T i = 0; i < (first & 7); ++i) {
          HLS_PIPELINE(1);
          total += i * first;
        }
      }
      out.write(second);
      out.write(total);
    }
  }
};
template struct StateMachineIo<>;

#ifndef __HLSC__
KERNEL(StateMachineIo<>) {
  process(&K::run);
  output(&K::out);
  output(&K::log);
  for (int i = 0; i < 40; ++i) {
    const uint32_t first = static_cast<uint32_t>(random.next());
    const uint32_t second = static_cast<uint32_t>(random.next());
    put(&K::a, first);
    put(&K::b, second);
    put_any(&K::a, random, static_cast<int>((first ^ second) & 3));
  }
}
#endif
