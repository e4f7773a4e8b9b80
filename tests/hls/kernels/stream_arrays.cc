// SPDX-License-Identifier: Apache-2.0
//
// Arrays of streams: elements by constants and by variables, and a stream that a reference chooses.
#include "tests/hls/kernel.h"

template <int lanes = 3>
struct StreamArrays {
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint16_t, out, 2);
  HLS_STREAM(uint16_t, rest, 2);
  HLS_STREAMS(uint16_t, queues, lanes, 4);
  HLS_STREAMS(uint8_t, tags, 2, 4);

  HLS_PROCESS route() {
    for (;;) {
      const uint16_t item = in.read();
      const uint8_t first = item % lanes, second = (item >> 4) % lanes;
      queues[first].write(item);
      queues[second].write(item ^ 0xffff);
      tags[0].write(first);
      tags[1].write(second);
    }
  }
  HLS_PROCESS merge() {
    for (;;) {
      const uint8_t first = tags[0].read(), second = tags[1].read();
      const uint16_t item = queues[first].read(), other = queues[second].read();
      auto& target = (item & 64) != 0 ? out : rest;
      target.write(static_cast<uint16_t>(item * 3 + other + second));
    }
  }
};
template struct StreamArrays<>;

#ifndef __HLSC__
KERNEL(StreamArrays<>) {
  process(&K::route);
  process(&K::merge);
  output(&K::out);
  output(&K::rest);
  put_any(&K::in, random, 60);
}
#endif
