// SPDX-License-Identifier: Apache-2.0
//
// A radix-2 FFT in place, of 256 complex numbers of 16 bits: in each of eight passes, 128
// butterflies with twiddle factors from a constant table. Each pass halves the numbers.
#include "tests/hls/kernel.h"

template <int log2_size = 8>
struct Fft {
  static const int size = 1 << log2_size;
  struct Complex {
    int16_t re, im;
  };
  HLS_STREAM(Complex, in, 4);
  HLS_STREAM(Complex, out, 4);
  HLS_RAM(Complex, data, size);

  HLS_PROCESS run() {
    for (;;) {
      for (int i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        data[__builtin_bitreverse32(static_cast<uint32_t>(i)) >> (32 - log2_size)] = in.read();
      }
      for (int pass = 0; pass < log2_size; ++pass) {
        for (int i = 0; i < size / 2; ++i) {
          HLS_PIPELINE(2);
          butterfly(pass, i);
        }
      }
      for (int i = 0; i < size; ++i) {
        HLS_PIPELINE(1);
        out.write(data[i]);
      }
    }
  }

  // Butterfly i of a pass: its distance is 2^pass.
  HLS_MEMBER void butterfly(int pass, int i) {
    static const int16_t cosine[65] = {
        16384, 16379, 16364, 16340, 16305, 16261, 16207, 16143, 16069, 15986, 15893, 15791, 15679,
        15557, 15426, 15286, 15137, 14978, 14811, 14635, 14449, 14256, 14053, 13842, 13623, 13395,
        13160, 12916, 12665, 12406, 12140, 11866, 11585, 11297, 11003, 10702, 10394, 10080, 9760,
        9434,  9102,  8765,  8423,  8076,  7723,  7366,  7005,  6639,  6270,  5897,  5520,  5139,
        4756,  4370,  3981,  3590,  3196,  2801,  2404,  2006,  1606,  1205,  804,   402,   0};
    const int low = i & ((1 << pass) - 1), first = ((i - low) << 1) + low;
    const int second = first + (1 << pass);
    const int angle = low << (log2_size - 1 - pass);  // of 128 for half a turn
    const int c = angle <= 64 ? cosine[angle] : -cosine[128 - angle];
    const int s = angle <= 64 ? cosine[64 - angle] : cosine[angle - 64];
    const Complex a = data[first], b = data[second];
    const int re = (b.re * c + b.im * s) >> 14, im = (b.im * c - b.re * s) >> 14;
    data[first] = Complex{half(a.re + re), half(a.im + im)};
    data[second] = Complex{half(a.re - re), half(a.im - im)};
  }
  static int16_t half(int x) { return static_cast<int16_t>(x / 2); }
};
template struct Fft<>;

#ifndef __HLSC__
KERNEL(Fft<>) {
  process(&K::run);
  output(&K::out);
  put_any(&K::in, random, 3 * K::size);
}
#endif
