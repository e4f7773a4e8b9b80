// SPDX-License-Identifier: Apache-2.0
//
// Sorts the eight lanes of a word combinationally (Batcher's odd-even merge sort).
#include "tests/hls/kernel.h"

template <int lanes = 8>
struct SortingNetwork {
  struct Word {
    int16_t v[lanes];
  };
  HLS_STREAM(Word, in, 2);
  HLS_STREAM(Word, out, 2);

  static void order(Word& word, int low, int high) {
    const int16_t a = word.v[low], b = word.v[high];
    word.v[low] = a < b ? a : b;
    word.v[high] = a < b ? b : a;
  }
  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      Word word = in.read();
      order(word, 0, 1), order(word, 2, 3), order(word, 4, 5), order(word, 6, 7);
      order(word, 0, 2), order(word, 1, 3), order(word, 4, 6), order(word, 5, 7);
      order(word, 1, 2), order(word, 5, 6), order(word, 0, 4), order(word, 3, 7);
      order(word, 1, 5), order(word, 2, 6), order(word, 1, 4), order(word, 3, 6);
      order(word, 2, 4), order(word, 3, 5), order(word, 3, 4);
      out.write(word);
    }
  }
};
template struct SortingNetwork<>;

#ifndef __HLSC__
KERNEL(SortingNetwork<>) {
  process(&K::run);
  put_any(&K::in, random, 150);
  output(&K::out);
}
#endif
