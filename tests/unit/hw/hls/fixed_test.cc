// SPDX-License-Identifier: Apache-2.0
//
// Fixed-point numbers against arithmetic in double, which is exact at these widths.
#include "hw/hls/fixed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

namespace hls {
namespace {

// `units` of the target's last bit, rounded as the mode says.
double rounded(double units, ap_q_mode mode) {
  const double down = std::floor(units), up = std::ceil(units);
  if (down == up) return down;
  const double rest = units - down;
  const bool tie = rest == 0.5;
  switch (mode) {
    case AP_TRN:
      return down;
    case AP_TRN_ZERO:
      return std::trunc(units);
    case AP_RND:
      return std::floor(units + 0.5);
    case AP_RND_ZERO:
      return tie ? std::trunc(units) : std::round(units);
    case AP_RND_MIN_INF:
      return tie ? down : std::round(units);
    case AP_RND_INF:
      return std::round(units);
    case AP_RND_CONV:
      return std::nearbyint(units);
  }
  return NAN;
}

// In the range [least, greatest] of whole numbers.
double limited(double units, double least, double greatest, ap_o_mode mode) {
  const double span = greatest - least + 1;
  if (mode == AP_SAT_SYM && least < 0) least = -greatest;
  if (mode == AP_WRAP) return units - span * std::floor((units - least) / span);
  if (units >= least && units <= greatest) return units;
  return mode == AP_SAT_ZERO ? 0 : units < least ? least : greatest;
}

template <class To>
double expected(double value) {
  const double top = std::ldexp(1, To::width - To::is_signed_type);
  const double units = rounded(std::ldexp(value, To::fraction), To::qmode);
  return std::ldexp(limited(units, To::is_signed_type ? -top : 0, top - 1, To::omode),
                    -To::fraction);
}

template <class To, class From>
void compare_all() {
  for (int raw = -(1 << From::width); raw < 1 << From::width; ++raw) {
    const From from = From::from_raw(static_cast<typename From::raw_type>(raw));
    const double value = from.to_double();
    ASSERT_EQ(To(from).to_double(), expected<To>(value)) << value;
    ASSERT_EQ(To(value).to_double(), expected<To>(value)) << value;
  }
}

template <ap_q_mode Q, ap_o_mode O>
void compare_mode() {
  SCOPED_TRACE(testing::Message() << "rounding " << Q << ", overflow " << O);
  compare_all<ap_fixed<5, 2, Q, O>, ap_fixed<9, 3>>();
  compare_all<ap_ufixed<4, 2, Q, O>, ap_fixed<9, 3>>();
  compare_all<ap_fixed<4, 6, Q, O>, ap_ufixed<9, 8>>();
  compare_all<ap_fixed<4, -1, Q, O>, ap_fixed<7, 1>>();
  compare_all<ap_fixed<12, 3, Q, O>, ap_fixed<7, 3>>();
}

template <ap_o_mode O>
void compare_roundings() {
  compare_mode<AP_TRN, O>();
  compare_mode<AP_TRN_ZERO, O>();
  compare_mode<AP_RND, O>();
  compare_mode<AP_RND_ZERO, O>();
  compare_mode<AP_RND_MIN_INF, O>();
  compare_mode<AP_RND_INF, O>();
  compare_mode<AP_RND_CONV, O>();
}

TEST(Fixed, RoundsAndLimitsByTheModesOfTheTarget) {
  compare_roundings<AP_WRAP>();
  compare_roundings<AP_SAT>();
  compare_roundings<AP_SAT_ZERO>();
  compare_roundings<AP_SAT_SYM>();
}

template <class A, class B>
void compare_arithmetic() {
  for (int i = 0; i < 1 << A::width; ++i) {
    for (int j = 0; j < 1 << B::width; ++j) {
      const A a = A::from_raw(static_cast<typename A::raw_type>(i));
      const B b = B::from_raw(static_cast<typename B::raw_type>(j));
      const double x = a.to_double(), y = b.to_double();
      ASSERT_EQ((a + b).to_double(), x + y);
      ASSERT_EQ((a - b).to_double(), x - y);
      ASSERT_EQ((a * b).to_double(), x * y);
      ASSERT_EQ((-a).to_double(), -x);
      ASSERT_EQ(a < b, x < y);
      ASSERT_EQ(a <= b, x <= y);
      ASSERT_EQ(a > b, x > y);
      ASSERT_EQ(a >= b, x >= y);
      ASSERT_EQ(a == b, x == y);
      ASSERT_EQ(a != b, x != y);
      if (y == 0) continue;
      const double units = std::trunc(std::ldexp(x / y, decltype(a / b)::fraction));
      ASSERT_EQ((a / b).to_double(), std::ldexp(units, -decltype(a / b)::fraction))
          << x << " / " << y;
    }
  }
}

TEST(Fixed, SumsAndProductsAreExact) {
  compare_arithmetic<ap_fixed<6, 2>, ap_fixed<5, 3>>();
  compare_arithmetic<ap_fixed<6, 2>, ap_ufixed<5, 5>>();
  compare_arithmetic<ap_ufixed<5, 0>, ap_ufixed<6, 7>>();
  compare_arithmetic<ap_fixed<4, -2>, ap_ufixed<1, 1>>();
}

TEST(Fixed, MeetsIntegers) {
  constexpr ap_fixed<16, 6> x = -2.75;
  static_assert((x + 3).to_double() == 0.25, "");
  static_assert((3 - x).to_double() == 5.75, "");
  static_assert((uint8_t{200} * x).to_double() == -550, "");
  static_assert((x * static_cast<_BitInt(5)>(-3)).to_double() == 8.25, "");
  static_assert(x < 0 && x != -2, "");
  static_assert(0 > x, "");
  static_assert(x.to_int() == -2, "to zero");
  static_assert(ap_fixed<8, 8>(uint64_t{300}).to_int() == 44, "");
  static_assert((x >> 1).to_double() == -1.375 && (x << 4).to_double() == 20, "the type stays");
  ap_fixed<16, 6> sum = 0;
  sum += x;
  sum -= 1;
  sum *= 2;
  EXPECT_EQ(sum.to_double(), -7.5);
  EXPECT_FALSE(static_cast<bool>(sum - sum));
}

TEST(Fixed, TakesConstantsOfAnySize) {
  using Saturated = ap_fixed<16, 2, AP_TRN, AP_SAT>;
  EXPECT_EQ(Saturated(1e40).to_double(), 2 - std::ldexp(1, -14));
  EXPECT_EQ(Saturated(-1e40).to_double(), -2);
  EXPECT_EQ(Saturated(HUGE_VAL).to_double(), 2 - std::ldexp(1, -14));
  EXPECT_EQ(Saturated(-HUGE_VAL).to_double(), -2);
  EXPECT_EQ((ap_fixed<16, 2>(1e40).to_double()), 0) << "the low bits";
  EXPECT_EQ((ap_fixed<16, 16>(std::ldexp(3, 14)).to_double()), -16384);
  EXPECT_EQ((ap_fixed<128, 2>(1.5).to_double()), 1.5);
  EXPECT_EQ((ap_ufixed<200, 20>(1000000.25).to_double()), 1000000.25);
  EXPECT_EQ((ap_fixed<8, -30>(std::ldexp(-3, -33)).to_double()), std::ldexp(-3, -33));
  // Every power of two, which is a single bit or none.
  for (int exponent = -80; exponent < 120; ++exponent) {
    const double value = std::ldexp(1, exponent);
    EXPECT_EQ((ap_ufixed<90, 20>(value).to_double()), exponent < -70 || exponent > 19 ? 0 : value)
        << exponent;
  }
}

TEST(Fixed, ShiftsByAnyAmount) {
  constexpr ap_fixed<16, 8> x = -3.5;
  static_assert((x << -1).to_double() == -1.75 && (x >> -1).to_double() == -7, "the other way");
  static_assert((x << 16).to_double() == 0 && (x << 40).to_double() == 0, "");
  static_assert((x >> 16) == (x >> 15) && (x >> 40) == (x >> 15), "the sign");
  static_assert((x >> -40).to_double() == 0 && (x << INT32_MIN) == (x >> 15), "");
  static_assert((ap_ufixed<8, 8>(200) >> 8).to_double() == 0, "");
}

TEST(Fixed, HasRangesOfBits) {
  ap_ufixed<12, 4> x = 5.0625;  // 0x510
  EXPECT_EQ(static_cast<unsigned>(x.range()), 0x510u);
  EXPECT_EQ(static_cast<unsigned>(x.range(11, 8)), 5u);
  EXPECT_TRUE(x[4]);
  EXPECT_FALSE(x[5]);
  x.range(3, 0) = 0x1f;  // only four bits
  x.range(11, 11) = 1;
  EXPECT_EQ(static_cast<unsigned>(x.range()), 0xd1fu);
  x.range(3, 0) = x.range(11, 8);
  EXPECT_EQ(static_cast<unsigned>(x.range()), 0xd1du);
  ap_fixed<100, 50> wide = -1;
  EXPECT_EQ(static_cast<uint64_t>(wide.range(99, 36)), ~uint64_t{0} << 14);
  wide.range(99, 0) = 0;
  EXPECT_EQ(wide.to_double(), 0);
}

TEST(Fixed, HasAllBitsAsARange) {
  ap_fixed<12, 4> x = -1;
  EXPECT_EQ(x.range().to_int(), 0xf00);
  EXPECT_EQ(x.range(9, 8).to_int(), 3);
  x.range() = 5;
  EXPECT_EQ(x.to_double(), 5 / 256.0);
  ap_ufixed<12, 12> y = 0;
  y.range() = x.range();
  EXPECT_EQ(y.to_int(), 5);
  // Copies, not references: the sum is gone after the statement.
  const auto bits = (x + y).range();
  static_assert(std::is_same_v<decltype(bits), const unsigned _BitInt(22)>);
  EXPECT_EQ(static_cast<int>(bits), 5 * 256 + 5);
}

TEST(Fixed, HasNoPaddingInMemory) {
  EXPECT_EQ(sizeof(ap_fixed<18, 2>), 4u);
  EXPECT_EQ(sizeof(ap_ufixed<9, 9>), 2u);
  const ap_fixed<18, 2> minus = -1;
  int32_t stored = 0;
  __builtin_memcpy(&stored, &minus, sizeof stored);
  EXPECT_EQ(stored, -65536);
}

}  // namespace
}  // namespace hls
