// SPDX-License-Identifier: Apache-2.0
//
// Operations that are slower than the clock, which has 4 ns here (write_verilog.cc): products,
// sums, comparisons, variable shifts and divisions by constants, in a pipeline and in a state
// machine.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct FastOperations {
  struct Operands {
    T a, b;
  };
  struct Results {
    int32_t of_bytes, of_halves;
    uint64_t product, sum, difference;
    T high_signed, tenth, left, rotated;
    int32_t arithmetic, compared;
    T of_bit, by_constant;
  };
  HLS_STREAM(Operands, in, 2);
  HLS_STREAM(Results, out, 2);
  HLS_STREAM(Operands, in2, 2);
  HLS_STREAM(Results, out2, 2);

  static Results results_of(const Operands& o) {
    const int32_t a = static_cast<int32_t>(o.a), b = static_cast<int32_t>(o.b);
    const uint64_t wide = (uint64_t(o.a) << 32) | o.b, other = (uint64_t(o.b) << 29) ^ o.a;
    const T amount = o.b & 31;
    Results r;
    r.of_bytes = static_cast<int8_t>(o.a) * static_cast<int8_t>(o.b);
    r.of_halves = static_cast<int16_t>(o.a) * static_cast<uint16_t>(o.b >> 8);
    r.product = uint64_t(o.a) * o.b;
    r.high_signed = static_cast<T>((int64_t(a) * b) >> 32);
    r.sum = wide + other + o.b;
    r.difference = wide - other;
    r.tenth = o.a / 10;
    r.left = o.a << amount;
    r.rotated = (o.a << amount) | (o.a >> ((32 - amount) & 31));
    r.arithmetic = a >> amount;
    r.compared = (wide < other ? 1 : 0) + (static_cast<int64_t>(wide) <= int64_t(other) ? 2 : 0) +
                 (wide == other + o.b ? 4 : 0);
    r.of_bit = o.a * (o.b & 1);
    r.by_constant = o.a * 1000;
    return r;
  }
  HLS_PROCESS pipeline() {
    for (;;) {
      HLS_PIPELINE(1);
      out.write(results_of(in.read()));
    }
  }
  HLS_PROCESS states() {
    for (;;) out2.write(results_of(in2.read()));
  }
};
template struct FastOperations<>;

#ifndef __HLSC__
KERNEL(FastOperations<>) {
  process(&K::pipeline);
  process(&K::states);
  put_any(&K::in, random, 100);
  put_any(&K::in2, random, 40);
  output(&K::out);
  output(&K::out2);
}
#endif
