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

TEST(UopCache, LoadsAKernelOnceWhileItIsResident) {
  ArenaImage image;
  UopCache cache(image, 8, 32);
  const auto first = cache.place(kernel_of(100, 4));
  EXPECT_EQ(first.uop_bgn, 8u);
  EXPECT_TRUE(first.must_load);
  EXPECT_EQ(cache.place(kernel_of(200, 4)).uop_bgn, 12u);
  const auto again = cache.place(kernel_of(100, 4));
  EXPECT_EQ(again.uop_bgn, 8u);
  EXPECT_FALSE(again.must_load);
}

TEST(UopCache, EvictsExactlyTheOverwrittenKernelsWhenItWraps) {
  ArenaImage image;
  UopCache cache(image, 0, 10);
  cache.place(kernel_of(100, 4));  // 0-3
  cache.place(kernel_of(200, 4));  // 4-7
  const auto wrapped = cache.place(kernel_of(300, 3));
  EXPECT_EQ(wrapped.uop_bgn, 0u);
  EXPECT_FALSE(cache.place(kernel_of(200, 4)).must_load) << "4-7 was not overwritten";
  EXPECT_TRUE(cache.place(kernel_of(100, 4)).must_load) << "0-2 was overwritten";
}

TEST(UopCache, DistinguishesKernelsOfACommonPrefix) {
  ArenaImage image;
  UopCache cache(image, 0, 16);
  cache.place(kernel_of(1, 5));
  const auto shorter = cache.place(kernel_of(1, 3));
  EXPECT_TRUE(shorter.must_load);
  EXPECT_EQ(shorter.uop_bgn, 5u);
}

TEST(UopCache, AlwaysFindsResidentKernels) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    ArenaImage image;
    const auto end = static_cast<uint32_t>(random.between(20, 80));
    UopCache cache(image, 4, end);
    std::vector<uint32_t> scratchpad(end, 0);
    for (int i = 0; i < 500; ++i) {
      const auto kernel =
          kernel_of(static_cast<uint32_t>(random.between(0, 12)) * 1000, random.between(1, 12));
      const auto place = cache.place(kernel);
      ASSERT_GE(place.uop_bgn, 4u);
      ASSERT_LE(place.uop_bgn + kernel.size(), end);
      if (place.must_load) std::ranges::copy(kernel, scratchpad.begin() + place.uop_bgn);
      ASSERT_TRUE(std::equal(kernel.begin(), kernel.end(), scratchpad.begin() + place.uop_bgn));
    }
  }
}

}  // namespace
}  // namespace vta::program
