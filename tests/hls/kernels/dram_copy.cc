// SPDX-License-Identifier: Apache-2.0
//
// Copies DRAM in bursts: requests run ahead of the process that moves the beats.
#include "tests/hls/kernel.h"

template <class Done = uint32_t>
struct DramCopy {
  struct Copy {
    uint32_t from, to, beats;
  };
  HLS_STREAM(Copy, reads, 2);
  HLS_STREAM(Copy, writes, 2);
  HLS_STREAM(Done, done, 2);
  HLS_READ_PORT(source, 4);
  HLS_WRITE_PORT(target, 4);

  HLS_PROCESS request() {
    for (;;) {
      Copy copy = reads.read();
      while (copy.beats != 0) {
        HLS_PIPELINE(2);
        const uint32_t burst = hls::burst_beats(copy.from, copy.beats);
        source.request(copy.from, burst);
        copy.from += burst * hls::kBeatBytes;
        copy.beats -= burst;
      }
    }
  }
  HLS_PROCESS move() {
    for (;;) {
      Copy copy = writes.read();
      while (copy.beats != 0) {
        const uint32_t burst = hls::burst_beats(copy.to, copy.beats);
        target.request(copy.to, burst);
        for (uint32_t i = 0; i < burst; ++i) {
          HLS_PIPELINE(1);
          target.write(source.read() + i);
        }
        copy.to += burst * hls::kBeatBytes;
        copy.beats -= burst;
      }
      target.wait_responses();
      done.write(copy.to);
    }
  }
};
template struct DramCopy<>;

#ifndef __HLSC__
KERNEL(DramCopy<>) {
  process(&K::request), process(&K::move), output(&K::done);
  dram(random, 32768);
  port(&K::source), port(&K::target);
  for (uint32_t i = 0; i < 6; ++i) {  // from the lower half to pieces of the upper one
    const uint32_t beats = i == 0 ? 337 : static_cast<uint32_t>(random.between(0, 60));
    const K::Copy copy = {(i & 3) * 4000, 16384 + i * 2704, beats};
    put(&K::reads, copy), put(&K::writes, copy);
  }
}
#endif
