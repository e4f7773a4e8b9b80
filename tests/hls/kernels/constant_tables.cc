// SPDX-License-Identifier: Apache-2.0
//
// Constant tables: of a process, of a function, of structs, of two dimensions, at a distance.
#include "tests/hls/kernel.h"

template <class T = uint8_t>
struct ConstantTables {
  struct Item {
    T row, column;
  };
  struct Entry {
    uint8_t length;
    int32_t offset;
  };
  HLS_STREAM(Item, in, 2);
  HLS_STREAM(int32_t, out, 2);

  static int16_t of_rows(T row, T column) {
    static const int16_t table[5][3] = {{1, -2, 3}, {40, 50, 60}, {-700, 800, 900}, {7, 7, 7}};
    return table[row][column];
  }

  static int32_t of_entries(T row) {
    static constexpr Entry table[] = {{3, -100000}, {200, 5}, {0, 0}, {9, 77777}, {1, 2}};
    const Entry whole = table[row];
    return whole.offset * 2 + table[row].length + whole.length;
  }

  HLS_PROCESS run() {
    const uint8_t primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23};
    static const bool is_vowel[] = {true, false, false, false, true};
    for (;;) {
      HLS_PIPELINE(1);
      const Item item = in.read();
      int32_t sum = of_rows(item.row, item.column) + of_entries(item.row);
      sum += primes[item.row + item.column + 1] - primes[6 - item.row];
      sum += primes[2 * item.column] + is_vowel[item.row];
      HLS_UNROLL
      for (int i = 0; i < 9; ++i) sum += primes[i] << (i + item.column);
      out.write(sum);
    }
  }
};
template struct ConstantTables<>;

#ifndef __HLSC__
KERNEL(ConstantTables<>) {
  process(&K::run);
  output(&K::out);
  for (uint8_t row = 0; row < 5; ++row) {
    for (uint8_t column = 0; column < 3; ++column) put(&K::in, {row, column});
  }
}
#endif
