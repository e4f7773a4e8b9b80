// SPDX-License-Identifier: Apache-2.0
//
// memmove() of overlapping ranges: in a register and in a local array, up and down, by bytes and by
// words.
#include "tests/hls/kernel.h"

template <class T = uint8_t>
struct MovedOverItself {
  struct Bytes {
    T v[8];
  };
  struct Words {
    uint32_t v[4];
  };
  HLS_STREAM(T, in, 2);
  HLS_STREAM(Bytes, out, 2);
  HLS_STREAM(Words, words_out, 2);
  HLS_STREAM(Bytes, local_out, 2);
  HLS_REGISTER(Bytes, bytes);
  HLS_REGISTER(Words, words);

  HLS_PROCESS run() {
    for (;;) {
      const T x = in.read();
      __builtin_memmove(&bytes.v[1], &bytes.v[0], 7);  // up by a byte
      bytes.v[0] = x;
      __builtin_memmove(&words.v[0], &words.v[1], 12);  // down by a word
      words.v[3] += x;
      Bytes local = bytes;
      __builtin_memmove(&local.v[2], &local.v[0], 5);
      __builtin_memmove(&local.v[1], &local.v[3], 4);
      out.write(bytes);
      words_out.write(words);
      local_out.write(local);
    }
  }
};
template struct MovedOverItself<>;

#ifndef __HLSC__
KERNEL(MovedOverItself<>) {
  process(&K::run);
  put_any(&K::in, random, 60);
  output(&K::out), output(&K::words_out), output(&K::local_out);
}
#endif
