// SPDX-License-Identifier: Apache-2.0
//
// Bit reversal by the builtin, by a loop over bits and by masks.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct BitReverse {
  struct Three {
    T builtin, bits, masks;
  };
  HLS_STREAM(T, in, 2);
  HLS_STREAM(Three, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const T x = in.read();
      T bits = 0;
      HLS_UNROLL
      for (int i = 0; i < 32; ++i) bits |= ((x >> i) & 1) << (31 - i);
      T masks = ((x >> 1) & 0x55555555) | ((x & 0x55555555) << 1);
      masks = ((masks >> 2) & 0x33333333) | ((masks & 0x33333333) << 2);
      masks = ((masks >> 4) & 0x0f0f0f0f) | ((masks & 0x0f0f0f0f) << 4);
      masks = __builtin_bswap32(masks);
      out.write(Three{__builtin_bitreverse32(x), bits, masks});
    }
  }
};
template struct BitReverse<>;

#ifndef __HLSC__
KERNEL(BitReverse<>) {
  process(&K::run);
  put_any(&K::in, random, 150);
  output(&K::out);
}
#endif
