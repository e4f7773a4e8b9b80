// SPDX-License-Identifier: Apache-2.0
//
// Dot products of int8 vectors with the rows of an int8 matrix: multipliers and adder trees in
// hardware, the hot loop of the functional simulator natively.
#ifndef VTA_HW_HLS_DOT_H_
#define VTA_HW_HLS_DOT_H_

#include <cstdint>

#if !defined(__HLSC__) && defined(__AVX2__)
#include <immintrin.h>
#endif

#include "hw/hls/pragma.h"

namespace hls {

// dot[b][o] = sum over k of x[b][k] * w[o][k]; x [batch][depth], w [rows][depth], dot
// [batch][rows], all dense. Exact for depth < 2^17.
template <uint32_t batch, uint32_t rows, uint32_t depth>
struct dot_products {
  static inline void compute(const int8_t* x, const int8_t* w, int32_t* dot) {
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
};

// Written with intrinsics where auto-vectorized code is several times slower: pairs of products by
// pmaddwd, then a tree of unpack-and-add that sums four vectors at a time.
#if !defined(__HLSC__) && defined(__AVX512BW__)

// In each 128-bit lane: { sum of a, sum of b, sum of c, sum of d }.
inline __m512i lane_sums(__m512i a, __m512i b, __m512i c, __m512i d) {
  const __m512i ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
  const __m512i cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
  return _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
}
inline __m512i load_int16x32(const int8_t* bytes) {
  return _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)));
}

template <>
struct dot_products<1, 16, 16> {
  static inline void compute(const int8_t* x, const int8_t* w, int32_t* dot) {
    const __m128i x16 = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x));
    const __m512i xx = _mm512_broadcast_i64x4(_mm256_cvtepi8_epi16(x16));
    __m512i p[8];  // p[i]: eight pair sums of row 2 i, then of row 2 i + 1
    for (int i = 0; i < 8; ++i) p[i] = _mm512_madd_epi16(load_int16x32(w + 32 * i), xx);
    const __m512i a =
        lane_sums(p[0], p[1], p[2], p[3]);  // lanes 0, 1: rows 0 2 4 6; 2, 3: rows 1 3 5 7
    const __m512i b = lane_sums(p[4], p[5], p[6], p[7]);
    const __m512i even = _mm512_shuffle_i32x4(a, b, _MM_SHUFFLE(2, 0, 2, 0));
    const __m512i odd = _mm512_shuffle_i32x4(a, b, _MM_SHUFFLE(3, 1, 3, 1));
    const __m512i order = _mm512_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    _mm512_storeu_si512(dot, _mm512_permutexvar_epi32(order, _mm512_add_epi32(even, odd)));
  }
};

template <>
struct dot_products<4, 8, 8> {
  static inline void compute(const int8_t* x, const int8_t* w, int32_t* dot) {
    const __m512i w03 = load_int16x32(w), w47 = load_int16x32(w + 32);  // a row a lane
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    for (int b = 0; b < 4; b += 2) {
      const __m512i x0 = broadcast_int16x8(x + 8 * b), x1 = broadcast_int16x8(x + 8 * b + 8);
      const __m512i sums = lane_sums(_mm512_madd_epi16(w03, x0), _mm512_madd_epi16(w47, x0),
                                     _mm512_madd_epi16(w03, x1), _mm512_madd_epi16(w47, x1));
      _mm512_storeu_si512(dot + 8 * b, _mm512_permutexvar_epi32(order, sums));
    }
  }
  static inline __m512i broadcast_int16x8(const int8_t* bytes) {
    return _mm512_broadcast_i32x4(
        _mm_cvtepi8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes))));
  }
};

#elif !defined(__HLSC__) && defined(__AVX2__)
template <>
struct dot_products<1, 16, 16> {
  static inline void compute(const int8_t* x, const int8_t* w, int32_t* dot) {
    const __m256i xx = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
    for (int o = 0; o < 16; o += 4) {
      __m256i p[4];  // eight pair sums of each row
      for (int i = 0; i < 4; ++i) {
        const __m128i row = _mm_loadu_si128(reinterpret_cast<const __m128i*>(w + 16 * (o + i)));
        p[i] = _mm256_madd_epi16(_mm256_cvtepi8_epi16(row), xx);
      }
      const __m256i sums =
          _mm256_hadd_epi32(_mm256_hadd_epi32(p[0], p[1]), _mm256_hadd_epi32(p[2], p[3]));
      const __m128i total =
          _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(dot + o), total);
    }
  }
};

template <>
struct dot_products<4, 8, 8> {
  static inline void compute(const int8_t* x, const int8_t* w, int32_t* dot) {
    __m256i rows[4];  // two rows each, one a lane
    for (int i = 0; i < 4; ++i) {
      rows[i] = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(w + 16 * i)));
    }
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    for (int b = 0; b < 4; ++b) {
      const __m128i x8 = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(x + 8 * b));
      const __m256i xx = _mm256_broadcastsi128_si256(_mm_cvtepi8_epi16(x8));
      const __m256i even_odd = _mm256_hadd_epi32(
          _mm256_hadd_epi32(_mm256_madd_epi16(rows[0], xx), _mm256_madd_epi16(rows[1], xx)),
          _mm256_hadd_epi32(_mm256_madd_epi16(rows[2], xx), _mm256_madd_epi16(rows[3], xx)));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(dot + 8 * b),
                          _mm256_permutevar8x32_epi32(even_odd, order));
    }
  }
};
#endif

}  // namespace hls

#endif  // VTA_HW_HLS_DOT_H_
