// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for each instruction set that PackedProducts has code for. VTA_VARIANT is the name
// of the function.
#include "base/numbers/random.h"
#include "sim/functional/packed_products.h"

namespace vta::sim {
namespace {

template <uint32_t batch, uint32_t block_in, uint32_t block_out>
struct Sizes {
  static constexpr uint32_t kBatch = batch, kBlockIn = block_in, kBlockOut = block_out;
};

// Values of int8, or only the extreme ones.
void fill(int8_t* values, size_t count, bool extreme, Random& random) {
  for (size_t i = 0; i < count; ++i) {
    values[i] =
        static_cast<int8_t>(extreme ? (random.chance(50) ? -128 : 127) : random.between(-128, 127));
  }
}

// Rows of `rows` elements of INP by the sum of two elements of WGT, against the definition.
template <class P, uint32_t rows, bool adds>
bool is_exact(Random& random) {
  using Products = PackedProducts<P>;
  const bool extreme = random.chance(50);
  core::InpWord<P> x[rows];
  core::WgtWord<P> w[2];
  typename Products::Input inputs[rows];
  typename Products::Weight weights[2];
  int32_t acc[rows][P::kBlockOut];
  uint32_t expected[rows][P::kBlockOut];
  int8_t out[rows][P::kBlockOut];
  uint32_t src[rows], dst[rows];
  for (uint32_t r = 0; r < rows; ++r) {
    fill(x[r].v, sizeof x[r].v, extreme, random);
    Products::pack(x[r], inputs[r]);
    src[r] = r * P::kBatch * Products::kGroups + (P::kBatch - 1) * Products::kGroups;
    dst[r] = r * P::kBlockOut;
    for (uint32_t o = 0; o < P::kBlockOut; ++o) {
      acc[r][o] = static_cast<int32_t>(random.next());
      expected[r][o] = adds ? static_cast<uint32_t>(acc[r][o]) : 0;
    }
  }
  for (uint32_t i = 0; i < 2; ++i) {
    fill(w[i].v, sizeof w[i].v, extreme, random);
    Products::pack(w[i], weights[i]);
  }
  const typename Products::Term terms[] = {{0, 1}, {0, 0}, {0, 1}};
  for (uint32_t r = 0; r < rows; ++r) {
    for (uint32_t o = 0; o < P::kBlockOut; ++o) {
      for (const auto& term : terms) {
        for (uint32_t k = 0; k < P::kBlockIn; ++k) {
          const int product =
              x[r].v[(P::kBatch - 1) * P::kBlockIn + k] * w[term.weight].v[o * P::kBlockIn + k];
          expected[r][o] += static_cast<uint32_t>(product);
        }
      }
    }
  }
  Products::template multiply<rows, adds>(terms, &inputs[0].rows[0][0], weights, src, dst, acc[0],
                                          out[0]);
  for (uint32_t r = 0; r < rows; ++r) {
    for (uint32_t o = 0; o < P::kBlockOut; ++o) {
      if (acc[r][o] != static_cast<int32_t>(expected[r][o])) return false;
      if (out[r][o] != static_cast<int8_t>(expected[r][o])) return false;
    }
  }
  return true;
}

template <class P>
bool are_exact(Random& random) {
  return is_exact<P, 8, true>(random) && is_exact<P, 8, false>(random) &&
         is_exact<P, 1, true>(random) && is_exact<P, 1, false>(random);
}

}  // namespace

// Whether products of several shapes of cores equal their definition.
bool VTA_VARIANT(uint64_t seed) {
  Random random(seed);
  return are_exact<Sizes<1, 16, 16>>(random) && are_exact<Sizes<4, 8, 8>>(random) &&
         are_exact<Sizes<2, 4, 8>>(random) && are_exact<Sizes<1, 32, 32>>(random) &&
         are_exact<Sizes<8, 1, 1>>(random) && are_exact<Sizes<4, 2, 2>>(random) &&
         are_exact<Sizes<2, 64, 4>>(random);
}

}  // namespace vta::sim
