// SPDX-License-Identifier: Apache-2.0
//
// int8 inner products of 16 x 16 lanes; the running sum is held until its address changes.
#include "tests/hls/kernel.h"

template <uint32_t lanes = 16>
struct GemmWord {
  struct Inp {
    int8_t v[lanes];
  };
  struct Wgt {
    int8_t v[lanes * lanes];
  };
  struct Acc {
    int32_t v[lanes];
  };
  HLS_STREAM(Inp, inputs, 2);
  HLS_STREAM(Wgt, weights, 1);
  HLS_STREAM(uint8_t, places, 2);
  HLS_STREAM(Acc, out, 2);
  HLS_RAM(Acc, acc, 4);
  HLS_REGISTER(Acc, held);
  HLS_REGISTER(uint8_t, held_place);

  HLS_PROCESS run() {
    for (uint8_t i = 0; i < 4; ++i) {
      HLS_PIPELINE(1);
      acc[i] = Acc{};
    }
    for (;;) {
      HLS_PIPELINE(1);
      const uint8_t place = places.read() & 3;
      const Inp x = inputs.read();
      const Wgt w = weights.read();
      const bool moves = place != held_place;
      if (moves) acc[held_place] = held;
      if (moves) out.write(held);
      Acc sum = held;
      if (moves) sum = acc[place];
      HLS_UNROLL
      for (uint32_t o = 0; o < lanes; ++o) {
        HLS_UNROLL
        for (uint32_t k = 0; k < lanes; ++k) sum.v[o] += x.v[k] * w.v[o * lanes + k];
      }
      held = sum;
      held_place = place;
    }
  }
};
template struct GemmWord<>;

#ifndef __HLSC__
KERNEL(GemmWord<>) {
  process(&K::run);
  put_any(&K::inputs, random, 100);
  put_any(&K::weights, random, 100);
  put_any(&K::places, random, 108);
  for (int i = 0; i < 8; ++i) {  // the largest sums, of either sign
    K::Inp x;
    K::Wgt w;
    for (size_t k = 0; k < sizeof x.v; ++k) x.v[k] = (i & 1) != 0 ? -128 : 127;
    for (size_t k = 0; k < sizeof w.v; ++k)
      w.v[k] = ((i >> 1) & 1) == ((i >> 2) & k / sizeof x.v & 1) ? -128 : 127;
    put(&K::inputs, x);
    put(&K::weights, w);
  }
  output(&K::out);
}
#endif
