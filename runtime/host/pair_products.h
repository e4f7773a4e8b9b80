// SPDX-License-Identifier: Apache-2.0
//
// The inner product step of the integer convolution, which compilers do not vectorize by
// themselves: products of pairs of int16, added to int32 lanes (pmaddwd). All variants give the
// same numbers.
#ifndef VTA_RUNTIME_HOST_PAIR_PRODUCTS_H_
#define VTA_RUNTIME_HOST_PAIR_PRODUCTS_H_

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace vta::host {

// PairLanes:        kLanes pairs of int16, or kLanes sums of int32
// load(p)           2 * kLanes consecutive int16
// broadcast(pair)   one pair into every lane
// add_products      sum[l] + a[l].first * b[l].first + a[l].second * b[l].second, wrapping
#if defined(__AVX512BW__)
using PairLanes = __m512i;
inline PairLanes load_pairs(const int16_t* p) { return _mm512_loadu_si512(p); }
inline PairLanes broadcast_pair(int32_t pair) { return _mm512_set1_epi32(pair); }
inline PairLanes add_products(PairLanes sum, PairLanes a, PairLanes b) {
  return _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
}
#elif defined(__AVX2__)
using PairLanes = __m256i;
inline PairLanes load_pairs(const int16_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
inline PairLanes broadcast_pair(int32_t pair) { return _mm256_set1_epi32(pair); }
inline PairLanes add_products(PairLanes sum, PairLanes a, PairLanes b) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
}
#elif defined(__SSE2__)
using PairLanes = __m128i;
inline PairLanes load_pairs(const int16_t* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
inline PairLanes broadcast_pair(int32_t pair) { return _mm_set1_epi32(pair); }
inline PairLanes add_products(PairLanes sum, PairLanes a, PairLanes b) {
  return _mm_add_epi32(sum, _mm_madd_epi16(a, b));
}
#else
struct PairLanes {
  uint32_t lane[4];
};
inline PairLanes load_pairs(const int16_t* p) {
  PairLanes lanes;
  std::memcpy(&lanes, p, sizeof lanes);
  return lanes;
}
inline PairLanes broadcast_pair(int32_t pair) {
  const auto bits = static_cast<uint32_t>(pair);
  return {{bits, bits, bits, bits}};
}
inline PairLanes add_products(PairLanes sum, PairLanes a, PairLanes b) {
  int16_t x[8], y[8];
  std::memcpy(x, &a, sizeof x);
  std::memcpy(y, &b, sizeof y);
  for (int l = 0; l < 4; ++l) {
    sum.lane[l] += static_cast<uint32_t>(x[2 * l] * y[2 * l]);
    sum.lane[l] += static_cast<uint32_t>(x[2 * l + 1] * y[2 * l + 1]);
  }
  return sum;
}
#endif

constexpr int64_t kLanes = sizeof(PairLanes) / sizeof(int32_t);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_PAIR_PRODUCTS_H_
