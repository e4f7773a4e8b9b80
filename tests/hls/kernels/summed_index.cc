// SPDX-License-Identifier: Apache-2.0
//
// A long sum as the index of a late write: reads wait while their index may be the same, for the
// same number of cycles in both views of the design.
#include "tests/hls/kernel.h"

template <class T = uint64_t>
struct SummedIndex {
  struct Terms {
    T v[9];
  };
  HLS_STREAM(uint8_t, lengths, 2);
  HLS_STREAM(Terms, in, 2);
  HLS_STREAM(T, out, 2);
  HLS_RAM(T, memory, 256);

  HLS_PROCESS run() {
    for (uint32_t i = 0; i < 256; ++i) {
      HLS_PIPELINE(1);
      memory[i] = i;
    }
    for (;;) {
      const uint8_t n = lengths.read();
      for (uint8_t i = 0; i < n; ++i) {
        HLS_PIPELINE(1);
        const Terms terms = in.read();
        T sum = 0;
        HLS_UNROLL
        for (int k = 0; k < 9; ++k) sum += terms.v[k] * (terms.v[k] | 1);
        const T word = memory[terms.v[0] & 255];
        T late = word * 3 + terms.v[1];
        late = late * (late | 1);
        memory[sum] = late * (late ^ terms.v[2]);
        out.write(word);
      }
    }
  }
};
template struct SummedIndex<>;

#ifndef __HLSC__
KERNEL(SummedIndex<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 10; ++i) {
    put(&K::lengths, 5);
    for (int k = 0; k < 5; ++k) {
      K::Terms terms;
      for (uint64_t& v : terms.v) v = static_cast<uint64_t>(random.between(0, 2));
      put(&K::in, terms);
    }
  }
}
#endif
