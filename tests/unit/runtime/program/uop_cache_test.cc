// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/uop_cache.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/base/random.h"

namespace vta::program {
namespace {

std::vector<uint32_t> kernel_of(uint32_t first, size_t size) {
  std::vector<uint32_t> kernel(size);
  for (size_t i = 0; i < size; ++i) kernel[i] = first + static_cast<uint32_t>(i);
  return kernel;
}

TEST(UopCache, PlacesAKernelOnceWhileItIsResident) {
  UopCache cache(32);
  const auto first = cache.place(kernel_of(100, 4));
  EXPECT_EQ(first.uop_bgn, 0u);
  EXPECT_TRUE(first.is_new);
  EXPECT_EQ(cache.place(kernel_of(200, 4)).uop_bgn, 4u);
  const auto again = cache.place(kernel_of(100, 4));
  EXPECT_EQ(again.uop_bgn, 0u);
  EXPECT_FALSE(again.is_new);
}

TEST(UopCache, EvictsExactlyTheOverwrittenKernelsWhenItWraps) {
  UopCache cache(10);
  cache.place(kernel_of(100, 4));                              // 0-3
  EXPECT_TRUE(cache.place(kernel_of(200, 4)).is_first_round);  // 4-7
  const auto wrapped = cache.place(kernel_of(300, 3));
  EXPECT_EQ(wrapped.uop_bgn, 0u);
  EXPECT_FALSE(wrapped.is_first_round);
  EXPECT_FALSE(cache.place(kernel_of(200, 4)).is_new) << "4-7 was not overwritten";
  EXPECT_TRUE(cache.place(kernel_of(100, 4)).is_new) << "0-2 was overwritten";
}

TEST(UopCache, DistinguishesKernelsOfACommonPrefix) {
  UopCache cache(16);
  cache.place(kernel_of(1, 5));
  const auto shorter = cache.place(kernel_of(1, 3));
  EXPECT_TRUE(shorter.is_new);
  EXPECT_EQ(shorter.uop_bgn, 5u);
}

TEST(UopCache, AlwaysFindsResidentKernels) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto capacity = static_cast<uint32_t>(random.between(16, 80));
    UopCache cache(capacity);
    std::vector<uint32_t> scratchpad(capacity, 0);
    for (int i = 0; i < 500; ++i) {
      const auto kernel =
          kernel_of(static_cast<uint32_t>(random.between(0, 12)) * 1000, random.between(1, 12));
      const auto place = cache.place(kernel);
      ASSERT_LE(place.uop_bgn + kernel.size(), capacity);
      if (place.is_new) std::ranges::copy(kernel, scratchpad.begin() + place.uop_bgn);
      ASSERT_TRUE(std::equal(kernel.begin(), kernel.end(), scratchpad.begin() + place.uop_bgn));
    }
  }
}

}  // namespace
}  // namespace vta::program
