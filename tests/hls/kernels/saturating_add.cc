// SPDX-License-Identifier: Apache-2.0
//
// Saturating sums: signed, unsigned and by lanes.
#include "tests/hls/kernel.h"

template <int lanes = 4>
struct SaturatingAdd {
  struct Word {
    int8_t v[lanes];
  };
  struct Pair {
    Word a, b;
    uint32_t c, d;
  };
  struct Result {
    Word lanes_sum;
    uint32_t unsigned_sum, unsigned_difference;
  };
  HLS_STREAM(Pair, in, 2);
  HLS_STREAM(Result, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const Pair pair = in.read();
      Result result;
      HLS_UNROLL
      for (int i = 0; i < lanes; ++i) {
        const int32_t sum = pair.a.v[i] + pair.b.v[i];
        const int32_t low = sum < -128 ? -128 : sum;
        result.lanes_sum.v[i] = static_cast<int8_t>(low > 127 ? 127 : low);
      }
      const uint32_t sum = pair.c + pair.d;
      result.unsigned_sum = sum < pair.c ? 0xffffffff : sum;
      result.unsigned_difference = pair.c < pair.d ? 0 : pair.c - pair.d;
      out.write(result);
    }
  }
};
template struct SaturatingAdd<>;

#ifndef __HLSC__
KERNEL(SaturatingAdd<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  output(&K::out);
}
#endif
