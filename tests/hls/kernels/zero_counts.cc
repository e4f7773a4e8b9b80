// SPDX-License-Identifier: Apache-2.0
//
// Leading and trailing zeros of 32 and 64 bits, and normalization by them.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct ZeroCounts {
  struct Counts {
    T leading, trailing, leading_of_pair, normalized;
  };
  HLS_STREAM(T, in, 2);
  HLS_STREAM(Counts, out, 2);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      const T x = in.read() | 1;
      const uint64_t pair = (uint64_t(x) << 20) | 1;
      Counts counts;
      counts.leading = static_cast<T>(__builtin_clz(x));
      counts.trailing = static_cast<T>(__builtin_ctz((x & ~T(1)) | 0x80000000));
      counts.leading_of_pair = static_cast<T>(__builtin_clzll(pair));
      counts.normalized = x << counts.leading;
      out.write(counts);
    }
  }
};
template struct ZeroCounts<>;

#ifndef __HLSC__
KERNEL(ZeroCounts<>) {
  process(&K::run);
  output(&K::out);
  for (int i = 0; i < 150; ++i) {
    put(&K::in, static_cast<uint32_t>(random.next()) >> random.between(0, 31));
  }
}
#endif
