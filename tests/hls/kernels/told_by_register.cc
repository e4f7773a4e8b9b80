// SPDX-License-Identifier: Apache-2.0
//
// Two pipelined loops pass a value in a register; tokens tell when it may be read, and
// overwritten.
#include "tests/hls/kernel.h"

template <class T = uint32_t>
struct ToldByRegister {
  HLS_STREAM(T, in, 2);
  HLS_STREAM(T, factor, 2);
  HLS_STREAM(T, products, 2);
  HLS_STREAM(T, out, 2);
  HLS_TOKENS(written, 1);
  HLS_TOKENS(seen, 1);
  HLS_REGISTER(T, level);

  HLS_PROCESS writer() {
    for (;;) {
      HLS_PIPELINE(1);
      const T x = in.read();
      level = (x * x + 1) * x;
      written.push();
      seen.pop();
    }
  }
  HLS_PROCESS reader() {
    for (;;) {
      HLS_PIPELINE(1);
      const T by = factor.read();
      products.write((by * by + 1) * by);
      written.pop();
      out.write(level);
      seen.push();
    }
  }
};
template struct ToldByRegister<>;

#ifndef __HLSC__
KERNEL(ToldByRegister<>) {
  process(&K::writer);
  process(&K::reader);
  put_any(&K::in, random, 60);
  put_any(&K::factor, random, 60);
  output(&K::products);
  output(&K::out);
}
#endif
