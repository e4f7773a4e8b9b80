// SPDX-License-Identifier: Apache-2.0
//
// Products of rows of INP with elements of WGT, for vector instructions: exact modulo 2^32.
//
// The lanes of a vector are channels of block_out. A lane of a packed weight holds a group of 4
// weights of int8 (VNNI: vpdpbusd) or of 2 weights of int16 (pmaddwd), which meet the same group of
// inputs in every lane. vpdpbusd multiplies unsigned by signed bytes: packed inputs are x + 128,
// and `correction` takes the 128 of each product away again.
#ifndef VTA_SIM_FUNCTIONAL_PACKED_PRODUCTS_H_
#define VTA_SIM_FUNCTIONAL_PACKED_PRODUCTS_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>

#include "base/numbers/pair_products.h"
#include "hw/core/types.h"

namespace vta::sim {

#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
using PackedNumber = int8_t;
inline constexpr bool kInputsAreUnsigned = true;
#else
using PackedNumber = int16_t;
inline constexpr bool kInputsAreUnsigned = false;
#endif

using Group = int32_t;  // of packed numbers
inline constexpr uint32_t kGroupNumbers = sizeof(Group) / sizeof(PackedNumber);

template <class P>
class PackedProducts {
 public:
  static constexpr uint32_t kGroups =
      (P::kBlockIn + kGroupNumbers - 1) / kGroupNumbers;  // of a row
  static constexpr uint32_t kMaxRows =
      8;  // whose sums, with an input and a weight, fit 16 registers

  struct Input {
    Group rows[P::kBatch][kGroups];
  };
  struct alignas(64) Weight {  // a cache line: its vectors are loaded most
    Group groups[kGroups][P::kBlockOut];
    int32_t correction[kInputsAreUnsigned ? P::kBlockOut : 1];
  };
  // Offsets of the elements of one product, in groups of the packed inputs and in weights.
  struct Term {
    uint64_t input, weight;
  };

  static void pack(const core::InpWord<P>& word, Input& packed) {
    PackedNumber numbers[P::kBatch][kGroups * kGroupNumbers] = {};
    for (uint32_t b = 0; b < P::kBatch; ++b) {
      for (uint32_t k = 0; k < P::kBlockIn; ++k) {
        const int8_t x = word.v[b * P::kBlockIn + k];
        numbers[b][k] = kInputsAreUnsigned ? static_cast<PackedNumber>(x ^ -128) : x;
      }
    }
    std::memcpy(packed.rows, numbers, sizeof numbers);
  }

  static void pack(const core::WgtWord<P>& word, Weight& packed) {
    Group rows[P::kBlockOut][kGroups];
    PackedNumber numbers[P::kBlockOut][kGroups * kGroupNumbers] = {};
    for (uint32_t o = 0; o < P::kBlockOut; ++o) {
      for (uint32_t k = 0; k < P::kBlockIn; ++k) numbers[o][k] = word.v[o * P::kBlockIn + k];
    }
    std::memcpy(rows, numbers, sizeof rows);
    for (uint32_t g = 0; g < kGroups; ++g) {
      for (uint32_t o = 0; o < P::kBlockOut; ++o) packed.groups[g][o] = rows[o][g];
    }
    if constexpr (kInputsAreUnsigned) {
      for (uint32_t o = 0; o < P::kBlockOut; o += kLanes) {
        V sum{};
        for (uint32_t g = 0; g < kGroups; ++g)
          sum = add_products(sum, V{} + static_cast<Group>(0x80808080), load(&packed.groups[g][o]));
        store(-sum, &packed.correction[o]);
      }
    }
  }

  // acc[r][o] = (adds ? acc[r][o] : 0) + sum over terms of the row inputs[r] times the weight of
  // channel o, for `rows` rows that do not overlap. If `out` is not null, out[r][o] = the low byte.
  // Each of acc and out: the rows' offsets `dst` in lanes; inputs: `src` in groups.
  template <uint32_t rows, bool adds>
  static void multiply(std::span<const Term> terms, const Group* inputs, const Weight* weights,
                       const uint32_t* src, const uint32_t* dst, int32_t* acc, int8_t* out) {
    for (uint32_t o = 0; o < P::kBlockOut; o += kLanes) {
      V sums[rows], correction{};
      const Group* x[rows];
#pragma clang loop unroll(full)
      for (uint32_t r = 0; r < rows; ++r) {
        sums[r] = adds ? load(acc + dst[r] + o) : V{};
        x[r] = inputs + src[r];
      }
      for (const Term& term : terms) {
        const Weight& weight = weights[term.weight];
        if constexpr (kInputsAreUnsigned) correction += load(&weight.correction[o]);
#pragma clang loop unroll(disable)
        for (uint64_t g = 0; g < kGroups; ++g) {
          const V w = load(&weight.groups[g][o]);
#pragma clang loop unroll(full)
          for (uint32_t r = 0; r < rows; ++r)
            sums[r] = add_products(sums[r], V{} + x[r][term.input + g], w);
        }
      }
#pragma clang loop unroll(full)
      for (uint32_t r = 0; r < rows; ++r) {
        sums[r] += correction;
        store(sums[r], acc + dst[r] + o);
        if (out != nullptr) {
          const auto low = __builtin_convertvector(sums[r], Bytes);
          std::memcpy(out + dst[r] + o, &low, sizeof low);
        }
      }
    }
  }

 private:
  static constexpr uint32_t kLanes = std::min(P::kBlockOut, kVectorLanes);
  using V = typename VectorOf<kLanes>::Type;
  typedef int8_t Bytes __attribute__((vector_size(kLanes)));

  // sum[l] + the products of the groups x[l] and w[l]. A member, so that it is not shared with
  // files that are compiled for other processors.
  static V add_products(V sum, V x, V w) {
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
    if constexpr (sizeof(V) == 64)
      return V(_mm512_dpbusd_epi32(__m512i(sum), __m512i(x), __m512i(w)));
    if constexpr (sizeof(V) == 32)
      return V(_mm256_dpbusd_epi32(__m256i(sum), __m256i(x), __m256i(w)));
    if constexpr (sizeof(V) == 16) return V(_mm_dpbusd_epi32(__m128i(sum), __m128i(x), __m128i(w)));
    uint8_t inputs[sizeof(V)];
    int8_t weights[sizeof(V)];
    std::memcpy(inputs, &x, sizeof x);
    std::memcpy(weights, &w, sizeof w);
    for (uint32_t i = 0; i < std::size(weights); ++i) {
      const auto product = static_cast<uint32_t>(inputs[i] * weights[i]);
      sum[i / kGroupNumbers] =
          static_cast<int32_t>(static_cast<uint32_t>(sum[i / kGroupNumbers]) + product);
    }
    return sum;
#else
    return add_pair_products(sum, x, w);
#endif
  }

  static V load(const int32_t* from) {
    V v;
    std::memcpy(&v, from, sizeof v);
    return v;
  }
  static void store(V v, int32_t* to) { std::memcpy(to, &v, sizeof v); }
};

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_PACKED_PRODUCTS_H_
