// SPDX-License-Identifier: Apache-2.0
//
// Vectors of int32 lanes, and the instruction that compilers do not generate by themselves:
// products of pairs of int16, added to int32 lanes (pmaddwd). All variants give the same numbers.
#ifndef VTA_BASE_NUMBERS_PAIR_PRODUCTS_H_
#define VTA_BASE_NUMBERS_PAIR_PRODUCTS_H_

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace vta {

// The widest vectors of the processor that is compiled for.
#if defined(__AVX512BW__)
inline constexpr uint32_t kVectorLanes = 16;
#elif defined(__AVX2__)
inline constexpr uint32_t kVectorLanes = 8;
#else
inline constexpr uint32_t kVectorLanes = 4;
#endif

template <uint32_t lanes>
struct VectorOf {
  typedef int32_t Type __attribute__((vector_size(lanes * sizeof(int32_t))));
};

// sum[l] + a[l].first * b[l].first + a[l].second * b[l].second, wrapping; a lane of `a` and `b` is
// a pair of int16. Always inlined, so that it is not shared with files that are compiled for other
// processors.
template <class Vector>
[[gnu::always_inline]] inline Vector add_pair_products(Vector sum, Vector a, Vector b) {
#if defined(__AVX512BW__)
  if constexpr (sizeof(Vector) == 64)
    return sum + Vector(_mm512_madd_epi16(__m512i(a), __m512i(b)));
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(Vector) == 32)
    return sum + Vector(_mm256_madd_epi16(__m256i(a), __m256i(b)));
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(Vector) == 16) return sum + Vector(_mm_madd_epi16(__m128i(a), __m128i(b)));
#endif
  constexpr uint32_t kLanes = sizeof(Vector) / sizeof(int32_t);
  int16_t x[2 * kLanes], y[2 * kLanes];
  std::memcpy(x, &a, sizeof x);
  std::memcpy(y, &b, sizeof y);
  for (uint32_t i = 0; i < 2 * kLanes; ++i) {
    const auto product = static_cast<uint32_t>(x[i] * y[i]);
    sum[i / 2] = static_cast<int32_t>(static_cast<uint32_t>(sum[i / 2]) + product);
  }
  return sum;
}

}  // namespace vta

#endif  // VTA_BASE_NUMBERS_PAIR_PRODUCTS_H_
