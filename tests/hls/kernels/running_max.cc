// SPDX-License-Identifier: Apache-2.0
//
// A maximum and its index in registers, until an item resets them.
#include "tests/hls/kernel.h"

template <class T = int32_t>
struct RunningMax {
  struct Sample {
    T value;
    uint32_t resets;
  };
  struct Best {
    T value;
    uint32_t index;
  };
  HLS_STREAM(Sample, in, 3);
  HLS_STREAM(Best, out, 3);
  HLS_REGISTER(Best, best);
  HLS_REGISTER(uint32_t, index);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const Sample sample = in.read();
      if ((sample.resets != 0) | (sample.value > best.value)) {
        best.value = sample.value;
        best.index = index;
      }
      index++;
      out.write(best);
    }
  }
};
template struct RunningMax<>;

#ifndef __HLSC__
KERNEL(RunningMax<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 300; ++i) {
    put(&K::in, {static_cast<int32_t>(random.next()), random.chance(5) ? 1u : 0u});
  }
}
#endif
