// SPDX-License-Identifier: Apache-2.0
//
// PackedProducts, compiled for several instruction sets, against the definition of the products.
#include <gtest/gtest.h>

#include <cstdint>

namespace vta::sim {

bool baseline_products_are_exact(uint64_t seed);
bool native_products_are_exact(uint64_t seed);
#if defined(__x86_64__)
bool avx2_products_are_exact(uint64_t seed);
bool avx512_products_are_exact(uint64_t seed);
#endif

namespace {

void expect_exact(bool (*are_exact)(uint64_t)) {
  for (uint64_t seed = 0; seed < 200; ++seed) EXPECT_TRUE(are_exact(seed)) << "seed " << seed;
}

TEST(PackedProducts, AreExactOnTheBaselineProcessor) { expect_exact(baseline_products_are_exact); }

TEST(PackedProducts, AreExactOnThisProcessor) { expect_exact(native_products_are_exact); }

#if defined(__x86_64__)
TEST(PackedProducts, AreExactWithAvx2) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "[SKIP] the processor has no AVX2";
  expect_exact(avx2_products_are_exact);
}

TEST(PackedProducts, AreExactWithAvx512WithoutVnni) {
  if (!__builtin_cpu_supports("avx512bw")) GTEST_SKIP() << "[SKIP] the processor has no AVX-512BW";
  expect_exact(avx512_products_are_exact);
}
#endif

}  // namespace
}  // namespace vta::sim
