// SPDX-License-Identifier: Apache-2.0
//
// Dot products of int8 vectors with the rows of an int8 matrix: multipliers and adder trees in
// hardware.
#ifndef VTA_HW_HLS_DOT_H_
#define VTA_HW_HLS_DOT_H_

#include <cstdint>

#include "hw/hls/pragma.h"

namespace hls {

// dot[b][o] = sum over k of x[b][k] * w[o][k]; x [batch][depth], w [rows][depth], dot
// [batch][rows], all dense. Exact for depth < 2^17.
template <uint32_t batch, uint32_t rows, uint32_t depth>
inline void dot_products(const int8_t* x, const int8_t* w, int32_t* dot) {
  HLS_UNROLL
  for (uint32_t b = 0; b < batch; ++b) {
    HLS_UNROLL
    for (uint32_t o = 0; o < rows; ++o) {
      int32_t sum = 0;
      HLS_UNROLL
      for (uint32_t k = 0; k < depth; ++k) {
        sum += static_cast<int32_t>(x[b * depth + k]) * static_cast<int32_t>(w[o * depth + k]);
      }
      dot[b * rows + o] = sum;
    }
  }
}

}  // namespace hls

#endif  // VTA_HW_HLS_DOT_H_
