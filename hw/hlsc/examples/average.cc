// SPDX-License-Identifier: Apache-2.0
//
// The mean of the last `length` samples.
//   make test      runs the kernel and its testbench natively
//   make cosim     compares its Verilog with the native run, with random stalls
//   make report    states, pipelines, resources; make verilog writes average.sv
#include <cstdint>

#include "hw/hls/pragma.h"
#include "hw/hls/stream.h"

template <int length = 4>
struct Average {
  HLS_STREAM(int16_t, in, 2);
  HLS_STREAM(int16_t, out, 2);

  HLS_PROCESS run() {
    int16_t last[length] = {};
    for (;;) {
      HLS_PIPELINE(1);
      int32_t sum = 0;
      HLS_UNROLL
      for (int i = length - 1; i > 0; --i) {
        last[i] = last[i - 1];
        sum += last[i];
      }
      last[0] = in.read();
      sum += last[0];
      out.write(static_cast<int16_t>(sum / length));
    }
  }
};
template struct Average<>;

#ifndef __HLSC__
#include "hw/hls/testbench.h"

HLS_TESTBENCH(Average<>) {
  process(&K::run);
  for (int i = 1; i <= 8; ++i) put(&K::in, static_cast<int16_t>(100 * i));
  expect(&K::out, {25, 75, 150, 250, 350, 450, 550, 650});
}
#endif
