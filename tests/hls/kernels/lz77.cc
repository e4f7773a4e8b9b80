// SPDX-License-Identifier: Apache-2.0
//
// LZ77 with a window of 16 bytes. Three loops within another end at bounds that depend on the data:
// the next position, the start of the window and the length of a match, which two reads of a RAM
// end.
#include "tests/hls/kernel.h"

template <int size = 32, int window = 16, int longest = 7>
struct Lz77 {
  struct Token {
    uint8_t offset, length, next, end;
  };
  HLS_STREAM(uint8_t, in, 2);
  HLS_STREAM(Token, out, 2);
  HLS_RAM(uint8_t, history, size);

  HLS_PROCESS run() {
    for (;;) {
      for (int i = 0; i < size; ++i) history[i] = in.read();
      int position = 0;
      while (position < size) {
        int length = 0, offset = 0;
        for (int start = position > window ? position - window : 0; start < position; ++start) {
          const int found = match(start, position);
          if (found > length) {
            length = found;
            offset = position - start;
          }
        }
        const int next = position + length;
        out.write({static_cast<uint8_t>(offset), static_cast<uint8_t>(length), history[next],
                   static_cast<uint8_t>(next == size - 1)});
        position = next + 1;
      }
    }
  }

  // The last byte is always a token's `next`, so it is not compared.
  HLS_MEMBER int match(int start, int position) {
    int length = 0;
    while (length < longest && position + length < size - 1 &&
           history[start + length] == history[position + length]) {
      ++length;
    }
    return length;
  }
};
template struct Lz77<>;

#ifndef __HLSC__
KERNEL(Lz77<>) {
  process(&K::run);
  output(&K::out);
  // Two letters, mostly the same one: long matches and short ones.
  for (int i = 0; i < 64; ++i) put(&K::in, random.chance(75) ? 'a' : 'b');
}
#endif
