// SPDX-License-Identifier: Apache-2.0
//
// A DFT of 8 fixed-point numbers. A class template of complex numbers, with constructors and
// operators, is the word of a RAM and of a constant table; range() gives and takes its bits.
#include "hw/hls/fixed.h"
#include "tests/hls/kernel.h"

template <int size = 8>
struct ComplexDft {
  template <class T>
  struct Complex {
    T re = 0, im = 0;
    constexpr Complex() = default;
    constexpr Complex(T re, T im) : re(re), im(im) {}
    friend Complex operator+(const Complex& a, const Complex& b) {
      return {T(a.re + b.re), T(a.im + b.im)};
    }
    friend Complex operator*(const Complex& a, const Complex& b) {
      return {T(a.re * b.re - a.im * b.im), T(a.re * b.im + a.im * b.re)};
    }
    Complex& operator+=(const Complex& other) { return *this = *this + other; }
  };
  using Number = hls::ap_fixed<18, 6, hls::AP_RND, hls::AP_SAT>;
  using Value = Complex<Number>;
  HLS_STREAM(int16_t, in, 2);
  HLS_STREAM(int32_t, out, 2);
  HLS_RAM(Value, values, size);

  HLS_PROCESS run() {
    static constexpr double half = 0.70710678;  // its square is a half
    static constexpr Value turns[8] = {Value(1, 0),         Value(half, -half), Value(0, -1),
                                       Value(-half, -half), Value(-1, 0),       Value(-half, half),
                                       Value(0, 1),         Value(half, half)};
    for (;;) {
      for (int i = 0; i < size; ++i) {
        Number sample;
        sample.range() = in.read();
        values[i] = Value(sample, 0);
      }
      for (int k = 0; k < size; ++k) {
        Value sum;
        for (int i = 0; i < size; ++i) sum += values[i] * turns[i * k % 8];
        out.write(sum.re.range().to_int());
        out.write(sum.im.range().to_int());
      }
    }
  }
};
template struct ComplexDft<>;

#ifndef __HLSC__
KERNEL(ComplexDft<>) {
  process(&K::run);
  output(&K::out);
  put_any(&K::in, random, 24);  // large enough that some sums saturate
}
#endif
