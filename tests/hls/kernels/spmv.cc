// SPDX-License-Identifier: Apache-2.0
//
// Product of a sparse matrix in CSR form (row starts, columns, values) with a vector.
#include "tests/hls/kernel.h"

template <uint16_t max_rows = 256, uint16_t max_values = 4096>
struct Spmv {
  HLS_STREAM(uint16_t, size, 2);      // rows, values
  HLS_STREAM(uint16_t, index_in, 4);  // row starts (one more than rows), then columns
  HLS_STREAM(int16_t, value_in, 4);   // values, then the vector (as long as there are rows)
  HLS_STREAM(int32_t, out, 4);
  HLS_RAM(uint16_t, row_starts, 2 * max_rows);
  HLS_RAM(uint16_t, columns, max_values);
  HLS_RAM(int16_t, values, max_values);
  HLS_RAM(int16_t, vector, max_rows);

  HLS_PROCESS run() {
    for (;;) {
      const uint16_t num_rows = size.read(), num_values = size.read();
      for (uint16_t i = 0; i <= num_rows; ++i) {
        HLS_PIPELINE(1);
        row_starts[i] = index_in.read();
      }
      for (uint16_t i = 0; i < num_values; ++i) {
        HLS_PIPELINE(1);
        columns[i] = index_in.read();
        values[i] = value_in.read();
      }
      for (uint16_t i = 0; i < num_rows; ++i) {
        HLS_PIPELINE(1);
        vector[i] = value_in.read();
      }
      for (uint16_t row = 0; row < num_rows; ++row) {
        int32_t sum = 0;
        const uint16_t begin = row_starts[row], end = row_starts[row + 1];
        for (uint16_t i = begin; i < end; ++i) {
          HLS_PIPELINE(1);
          sum += values[i] * vector[columns[i]];
        }
        out.write(sum);
      }
    }
  }
};
template struct Spmv<>;

#ifndef __HLSC__
KERNEL(Spmv<>) {
  process(&K::run);
  output(&K::out);
  for (const uint16_t rows : {200, 1, 33}) {
    std::vector<uint16_t> starts{0}, columns;
    for (uint16_t row = 0; row < rows; ++row) {
      for (uint16_t column = 0; column < rows; ++column) {
        if (random.between(0, 15) == 0) columns.push_back(column);
      }
      starts.push_back(static_cast<uint16_t>(columns.size()));
    }
    const auto values = static_cast<uint16_t>(columns.size());
    put(&K::size, rows);
    put(&K::size, values);
    for (uint16_t start : starts) put(&K::index_in, start);
    for (uint16_t column : columns) put(&K::index_in, column);
    put_any(&K::value_in, random, values + rows);
  }
}
#endif
