// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/uop_cache.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"

namespace vta::lower {
namespace {

std::vector<uint32_t> kernel_of(uint32_t first, size_t size) {
  std::vector<uint32_t> kernel(size);
  for (size_t i = 0; i < size; ++i) kernel[i] = first + static_cast<uint32_t>(i);
  return kernel;
}

TEST(UopCache, PlacesAKernelOnceWhileItIsResident) {
  UopCache cache(32);
  const auto first = cache.place({kernel_of(100, 4)});
  EXPECT_EQ(first.uop_bgns, std::vector{0u});
  EXPECT_EQ(first.loaded, kernel_of(100, 4));
  EXPECT_EQ(cache.place({kernel_of(200, 4)}).uop_bgns, std::vector{4u});
  const auto again = cache.place({kernel_of(100, 4)});
  EXPECT_EQ(again.uop_bgns, std::vector{0u});
  EXPECT_TRUE(again.loaded.empty());
}

TEST(UopCache, FindsAKernelInWhatWasLoadedForOthers) {
  UopCache cache(32);
  cache.place({kernel_of(100, 4), kernel_of(104, 4)});
  const auto within = cache.place({kernel_of(102, 4), kernel_of(101, 2)});
  EXPECT_EQ(within.uop_bgns, (std::vector{2u, 1u}));
  EXPECT_TRUE(within.loaded.empty());
  EXPECT_EQ(cache.place({kernel_of(106, 3)}).loaded, kernel_of(106, 3)) << "108 is not resident";
}

TEST(UopCache, LoadsNewKernelsAsOneRun) {
  UopCache cache(32);
  cache.place({kernel_of(100, 4)});
  const auto places = cache.place({kernel_of(200, 2), kernel_of(101, 2), kernel_of(300, 3)});
  EXPECT_EQ(places.uop_bgns, (std::vector{4u, 1u, 6u}));
  EXPECT_EQ(places.load_bgn, 4u);
  EXPECT_EQ(places.loaded, (std::vector{200u, 201u, 300u, 301u, 302u}));
}

TEST(UopCache, ReplacesExactlyTheOverwrittenMicroOpsWhenItWraps) {
  UopCache cache(10);
  cache.place({kernel_of(100, 4)});                              // 0-3
  EXPECT_TRUE(cache.place({kernel_of(200, 4)}).is_first_round);  // 4-7
  const auto wrapped = cache.place({kernel_of(300, 3)});
  EXPECT_EQ(wrapped.uop_bgns, std::vector{0u});
  EXPECT_FALSE(wrapped.is_first_round);
  EXPECT_TRUE(cache.place({kernel_of(200, 4)}).loaded.empty()) << "4-7 was not overwritten";
  EXPECT_TRUE(cache.place({kernel_of(103, 1)}).loaded.empty()) << "3 was not overwritten";
  EXPECT_FALSE(cache.place({kernel_of(100, 4)}).loaded.empty()) << "0-2 was overwritten";
}

TEST(UopCache, KeepsResidentKernelsOfTheSameCall) {
  UopCache cache(10);
  cache.place({kernel_of(100, 4), kernel_of(200, 4)});
  // The new kernel takes elements 0-3, where the other one is.
  const auto places = cache.place({kernel_of(300, 4), kernel_of(100, 4)});
  EXPECT_EQ(places.uop_bgns, (std::vector{0u, 4u}));
  EXPECT_EQ(places.loaded.size(), 8u);
}

TEST(UopCache, PlacesAShorterKernelWithinALongerOne) {
  UopCache cache(16);
  cache.place({kernel_of(1, 5)});
  EXPECT_TRUE(cache.place({kernel_of(1, 3)}).loaded.empty());
  EXPECT_EQ(cache.place({kernel_of(1, 6)}).uop_bgns, std::vector{5u});
}

TEST(UopCache, AlwaysFindsResidentKernels) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto capacity = static_cast<uint32_t>(random.between(36, 80));
    UopCache cache(capacity);
    std::vector<uint32_t> scratchpad(capacity, 0);
    for (int i = 0; i < 500; ++i) {
      std::vector<UopCache::Kernel> kernels;
      for (int64_t n = random.between(1, 3); n > 0; --n) {
        kernels.push_back(kernel_of(static_cast<uint32_t>(random.between(0, 40)) * 4,
                                    static_cast<size_t>(random.between(1, 12))));
      }
      const auto places = cache.place(kernels);
      ASSERT_LE(places.load_bgn + places.loaded.size(), capacity);
      std::ranges::copy(places.loaded, scratchpad.begin() + places.load_bgn);
      for (size_t k = 0; k < kernels.size(); ++k) {
        ASSERT_LE(places.uop_bgns[k] + kernels[k].size(), capacity);
        ASSERT_TRUE(std::equal(kernels[k].begin(), kernels[k].end(),
                               scratchpad.begin() + places.uop_bgns[k]));
      }
    }
  }
}

}  // namespace
}  // namespace vta::lower
