// SPDX-License-Identifier: Apache-2.0
//
// Shifts by variable amounts: logical, arithmetic, left, rotation, and the ones of hls/lane.h.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct Shifts {
  struct Operands {
    T value, amount;
  };
  struct Results {
    T left, logical, arithmetic, rotated, narrow;
    int32_t either;
    T distance;
  };
  HLS_STREAM(Operands, in, 2);
  HLS_STREAM(Results, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const Operands o = in.read();
      const T amount = o.amount & 31;
      Results r;
      r.left = o.value << amount;
      r.logical = o.value >> amount;
      r.arithmetic = static_cast<T>(static_cast<int32_t>(o.value) >> amount);
      r.rotated = (o.value << amount) | (o.value >> ((32 - amount) & 31));
      r.narrow = static_cast<T>(static_cast<int8_t>(o.value) >> (amount & 7));
      r.either = hls::shift(static_cast<int32_t>(o.value), amount, (o.amount & 32) != 0);
      r.distance = hls::distance(static_cast<int32_t>(o.value));
      out.write(r);
    }
  }
};
template struct Shifts<>;

#ifndef __HLSC__
KERNEL(Shifts<>) {
  process(&K::run);
  put_any(&K::in, random, 200);
  for (int value = -70; value <= 70; ++value) put(&K::in, {static_cast<uint32_t>(value), 0});
  output(&K::out);
}
#endif
