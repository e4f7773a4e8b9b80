// SPDX-License-Identifier: Apache-2.0
//
// Arrays of streams: elements by constants and by variables, a loop over all of them, and a stream
// or an element that a reference chooses.
#include "tests/hls/kernel.h"

template <int lanes = 3>
struct StreamArrays {
  HLS_STREAM(uint16_t, in, 2);
  HLS_STREAM(uint16_t, out, 2);
  HLS_STREAM(uint16_t, rest, 2);
  HLS_STREAMS(uint16_t, queues, lanes, 4);
  HLS_STREAMS(uint8_t, tags, 2, 4);
  HLS_STREAMS(uint8_t, copies, 4, 4);
  HLS_STREAM(uint8_t, extra, 4);

  HLS_PROCESS route() {
    for (;;) {
      const uint16_t item = in.read();
      const uint8_t first = item % lanes, second = (item >> 4) % lanes;
      queues[first].write(item);
      queues[second].write(item ^ 0xffff);
      tags[0].write(first);
      tags[1].write(second);
      uint8_t copy = second;
      for (auto& stream : copies) stream.write(copy += first);
      auto& one = (item & 128) != 0 ? extra : copies[1 + first];
      one.write(static_cast<uint8_t>(item >> 8));
    }
  }
  HLS_PROCESS merge() {
    for (;;) {
      const uint8_t first = tags[0].read(), second = tags[1].read();
      const uint16_t item = queues[first].read(), other = queues[second].read();
      uint8_t sum = 0;
      for (auto& stream : copies) sum = static_cast<uint8_t>(3 * sum + stream.read());
      sum ^= (item & 128) != 0 ? extra.read() : copies[1 + first].read();
      auto& target = (item & 64) != 0 ? out : rest;
      target.write(static_cast<uint16_t>(item * 3 + other + second + sum));
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
