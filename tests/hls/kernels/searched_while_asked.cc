// SPDX-License-Identifier: Apache-2.0
//
// One process searches a row of a table several times and marks words on its way; another process
// marks other words through the same port. The latter sometimes waits for the end of the search and
// sometimes interleaves with it.
#include "tests/hls/kernel.h"

template <uint32_t size = 64>
struct SearchedWhileAsked {
  HLS_STREAM(uint8_t, in, 2);
  HLS_STREAM(uint8_t, wanted, 2);
  HLS_STREAM(uint8_t, found, 2);
  HLS_STREAM(uint8_t, asked, 2);
  HLS_STREAM(uint8_t, words, 2);
  HLS_TOKENS(searched, 4);
  HLS_RAM(uint8_t, table, size);
  HLS_RAM(uint8_t, marks, size);  // the search writes the first half
  HLS_REGISTER(uint8_t, place);   // turn + 1
  HLS_REGISTER(uint8_t, last);
  HLS_REGISTER(uint32_t, sum);

  HLS_PROCESS search() {
    for (uint32_t i = 0; i < size; ++i) {
      HLS_PIPELINE(1);
      table[i] = in.read();
    }
    for (;;) {
      const uint8_t order = wanted.read();
      const uint8_t row = order & 7, step = (order >> 3) & 3;
      const uint8_t limit = static_cast<uint8_t>(16 + 2 * row),
                    base = static_cast<uint8_t>(8 * row);
      place = 0;
      sum = 0;
      for (uint8_t y = 0; (y < 8) & !HLS_LATE(place != 0); ++y) {
        for (uint8_t x = 0; (x < 8) & !HLS_LATE(place != 0); ++x) {
          HLS_PIPELINE(1);
          if (place != 0) continue;
          const uint8_t word = table[(base + x) & (size - 1)];
          if (word + y * step >= limit) {
            place = static_cast<uint8_t>(8 * y + x + 1);
          } else {
            if (word & 1) marks[(base + x) & (size / 2 - 1)] = word;
            last = static_cast<uint8_t>(word + y);
            sum += step;
          }
        }
      }
      if (order & 1) searched.push();
      const uint32_t turns = (place + last + sum) & 7;
      for (uint32_t i = 0; i < turns; ++i) {
        HLS_PIPELINE(1);
        found.write(static_cast<uint8_t>(sum + i));
      }
    }
  }
  HLS_PROCESS mark() {
    for (;;) {
      const uint8_t index = asked.read();
      if (index & 64) searched.pop();
      marks[size / 2 + (index & (size / 2 - 1))] = index;
      words.write(marks[size / 2 + (index & (size / 2 - 1))]);
    }
  }
};
template struct SearchedWhileAsked<>;

#ifndef __HLSC__
KERNEL(SearchedWhileAsked<>) {
  process(&K::search);
  process(&K::mark);
  output(&K::found);
  output(&K::words);
  for (int i = 0; i < 64; ++i) put(&K::in, random.between(0, 15));
  for (int i = 0; i < 30; ++i) {
    const uint64_t order = random.between(0, 31);
    put(&K::wanted, order);
    if (order & 1) put(&K::asked, 64 + random.between(0, 63));
    for (uint64_t more = random.between(0, 3); more > 0; --more)
      put(&K::asked, random.between(0, 63));
  }
}
#endif
