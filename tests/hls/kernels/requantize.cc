// SPDX-License-Identifier: Apache-2.0
//
// Bias, multiplier, rounding shift, offset and clip of a lane: a 64-bit product.
#include "tests/hls/kernel.h"

template <int lanes = 4>
struct Requantize {
  struct Word {
    int32_t v[lanes];
  };
  struct Scale {
    int32_t bias, multiplier;
    int16_t shift, offset;
  };
  struct Bytes {
    int8_t v[lanes];
  };
  HLS_STREAM(Word, in, 2);
  HLS_STREAM(Scale, scales, 2);
  HLS_STREAM(Bytes, out, 2);

  static int8_t quantize(int32_t x, const Scale& scale) {
    const int64_t biased = static_cast<int64_t>(x) + scale.bias;
    const int32_t sum = static_cast<int32_t>(biased);
    const uint32_t shift = scale.shift & 31;
    const int64_t product = static_cast<int64_t>(sum) * scale.multiplier;
    const int64_t rounded = (product + (int64_t(1) << (30 + shift))) >> (31 + shift);
    const int64_t moved = rounded + scale.offset;
    return static_cast<int8_t>(moved < -128 ? -128 : moved > 127 ? 127 : moved);
  }
  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const Word word = in.read();
      const Scale scale = scales.read();
      Bytes bytes;
      HLS_UNROLL
      for (int i = 0; i < lanes; ++i) bytes.v[i] = quantize(word.v[i], scale);
      out.write(bytes);
    }
  }
};
template struct Requantize<>;

#ifndef __HLSC__
KERNEL(Requantize<>) {
  process(&K::run);
  output(&K::out);
  put_any(&K::in, random, 150);
  for (int i = 0; i < 150; ++i) {
    put(&K::scales, {static_cast<int32_t>(random.next()) >> 12, static_cast<int32_t>(random.next()),
                     static_cast<int16_t>(random.between(0, 31)), int16_t(i - 70)});
  }
}
#endif
