// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/divisions.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace vta::hlsc::front {
namespace {

using llvm::APInt;

Reciprocal of(uint64_t divisor, uint64_t maximum) {
  return reciprocal(APInt(64, divisor), APInt(64, maximum));
}

int64_t floor_of_product(const Reciprocal& by, int64_t n) {
  const auto product =
      static_cast<__int128>(n) * static_cast<__int128>(by.multiplier.getZExtValue());
  return static_cast<int64_t>(product >> by.shift);
}

void expect_exact(uint64_t divisor, uint64_t maximum, int64_t n) {
  const Reciprocal by = of(divisor, maximum);
  const auto d = static_cast<int64_t>(divisor);
  ASSERT_EQ(floor_of_product(by, n), n / d) << n << " / " << d << ", up to " << maximum;
  if (n != 0) {
    ASSERT_EQ(floor_of_product(by, -n), -(n / d) - 1) << -n << " / " << d << ", up to " << maximum;
  }
}

TEST(HlscDivisions, AreExactForEveryNumberOfFewBits) {
  for (uint64_t maximum : {1u, 2u, 9u, 10u, 99u, 127u, 128u, 255u, 300u, 1023u}) {
    for (uint64_t divisor = 2; divisor < 300; ++divisor) {
      for (uint64_t n = 0; n <= maximum; ++n)
        expect_exact(divisor, maximum, static_cast<int64_t>(n));
    }
  }
}

// The worst dividends are those before and at multiples of the divisor.
TEST(HlscDivisions, AreExactNextToMultiplesOfTheDivisor) {
  for (uint64_t maximum : {0x7fffffffull, 0x80000000ull, 0xffffffffull, 0x3fffffffffffull}) {
    for (uint64_t divisor : {3ull, 5ull, 7ull, 10ull, 11ull, 641ull, 1000ull, 65535ull, 65537ull,
                             1000003ull, 0x7ffffffdull, 0x7fffffffull, 0xfffffffbull}) {
      for (uint64_t quotient :
           {uint64_t{1}, uint64_t{2}, maximum / divisor / 2, maximum / divisor}) {
        for (uint64_t n : {quotient * divisor - 1, quotient * divisor, maximum}) {
          if (n <= maximum) expect_exact(divisor, maximum, static_cast<int64_t>(n));
        }
      }
    }
  }
}

TEST(HlscDivisions, HaveTheLeastShift) {
  EXPECT_EQ(of(10, 9).multiplier, 7u);  // 4/32 of 9 is more than 1
  EXPECT_EQ(of(10, 9).shift, 6u);
  EXPECT_EQ(of(3, 255).multiplier, 171u);
  EXPECT_EQ(of(3, 255).shift, 9u);
  EXPECT_EQ(of(10, 0xffffffff).multiplier, 0xcccccccdu);
  EXPECT_EQ(of(10, 0xffffffff).shift, 35u);
  EXPECT_EQ(of(7, 0xffffffff).multiplier.getBitWidth(), 33u);
}

}  // namespace
}  // namespace vta::hlsc::front
