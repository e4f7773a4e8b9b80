// SPDX-License-Identifier: Apache-2.0
//
// Fixed-point numbers of hw/hls/fixed.h: a symmetric FIR filter of 8 taps with an exact sum that is
// rounded and saturated once, a gain with ties to even, the bits of the results, and their energy,
// which has more than 64 bits.
#include "hw/hls/fixed.h"
#include "tests/hls/kernel.h"

template <int taps = 8>
struct FixedFir {
  using Sample = hls::ap_fixed<16, 1>;
  using Factor = hls::ap_fixed<12, 0>;
  using Sum = hls::ap_fixed<28, 4>;
  using Result = hls::ap_fixed<16, 1, hls::AP_RND, hls::AP_SAT>;
  using Scaled = hls::ap_ufixed<8, 2, hls::AP_RND_CONV, hls::AP_SAT>;
  struct Item {
    Result filtered;
    uint8_t scaled, bits;
    int32_t energy;
  };
  HLS_STREAM(Sample, in, 2);
  HLS_STREAM(Item, out, 2);

  HLS_PROCESS run() {
    const Factor factors[taps] = {-0.03, 0.07, 0.2, 0.45, 0.45, 0.2, 0.07, -0.03};
    Sample last[taps] = {};
    hls::ap_ufixed<70, 20> energy = 0;
    for (;;) {
      HLS_PIPELINE(1);
      HLS_UNROLL
      for (int i = taps - 1; i > 0; --i) last[i] = last[i - 1];
      last[0] = in.read();
      Sum sum = 0;
      HLS_UNROLL
      for (int i = 0; i < taps; ++i) sum += last[i] * factors[i];
      Result filtered = sum;
      const Scaled scaled = filtered * hls::ap_ufixed<4, 3>(6.5);
      if (filtered < Sample(-0.5)) filtered.range(7, 4) = 5;
      const auto& result = filtered;
      energy += sum * sum;
      out.write({filtered, static_cast<uint8_t>(scaled.range()),
                 static_cast<uint8_t>(result.range(10, 3) ^ scaled[7]), (energy << 8).to_int()});
    }
  }
};
template struct FixedFir<>;

#ifndef __HLSC__
KERNEL(FixedFir<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  output(&K::out);
}
#endif
