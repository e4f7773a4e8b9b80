// SPDX-License-Identifier: Apache-2.0
//
// Fixed-point numbers on _BitInt, constexpr, the same natively and in hardware. Names, result types
// and modes are those of ap_fixed (Vitis High-Level Synthesis User Guide, UG1399, "Arbitrary
// Precision Fixed-Point Data Types"), in namespace hls:
//
//   ap_fixed<16, 2> x = 0.75;             // 16 bits, 2 of them above the point
//   ap_fixed<16, 2, AP_RND, AP_SAT> y = x * x + x;  // exact, then rounds and saturates
//
// Sums and products are wide enough to be exact; an assignment to a type of fewer bits rounds and
// handles overflow by the modes of its target. Division truncates to the fraction bits of the
// dividend. Constants of type double are for compile time: hardware has no floating point.
// Not here: AP_WRAP_SM, the N of AP_WRAP, bitwise operators, ++, <<=, x[i] = bit, arithmetic and
// comparisons with double, strings, streams of C++.
#ifndef VTA_HW_HLS_FIXED_H_
#define VTA_HW_HLS_FIXED_H_

#include <cstdint>

namespace hls {

// Rounding of bits below the target's last.
enum ap_q_mode {
  AP_TRN,          // down, to minus infinity
  AP_TRN_ZERO,     // to zero
  AP_RND,          // nearest, ties up
  AP_RND_ZERO,     // nearest, ties to zero
  AP_RND_MIN_INF,  // nearest, ties down
  AP_RND_INF,      // nearest, ties away from zero
  AP_RND_CONV,     // nearest, ties to even
};
// A value beyond the target's range.
enum ap_o_mode {
  AP_WRAP,      // keeps the low bits
  AP_SAT,       // the nearest limit
  AP_SAT_ZERO,  // 0
  AP_SAT_SYM,   // the nearest limit; the least value is minus the greatest
};

template <int W, int I, bool is_signed, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP>
class fixed_point;
// W bits, I of them above the binary point; I may be negative or greater than W.
template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP>
using ap_fixed = fixed_point<W, I, true, Q, O>;
template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP>
using ap_ufixed = fixed_point<W, I, false, Q, O>;

namespace fixed_detail {

constexpr int max(int a, int b) { return a > b ? a : b; }

// 2^exponent.
constexpr double power(int exponent) {
  double result = 1;
  for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) result *= exponent < 0 ? 0.5 : 2;
  return result;
}

template <int bits>
using integer = signed _BitInt(bits);

// value * 2^by; shifting a negative number is undefined in C++14.
template <int bits>
constexpr integer<bits> up(integer<bits> value, int by) {
  return static_cast<integer<bits>>(static_cast<unsigned _BitInt(bits)>(value) << by);
}

// Memory has 1, 2, 4 or a multiple of 8 bytes, without padding, so that items of streams are equal
// if their values are.
constexpr int stored_bits(int width) {
  return width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : (width + 63) / 64 * 64;
}
template <int W, bool is_signed>
struct storage {
  using type = signed _BitInt(stored_bits(W));
};
template <int W>
struct storage<W, false> {
  using type = unsigned _BitInt(stored_bits(W));
};

// `value` without its low `drop` bits, rounded. One bit more for the carry.
template <ap_q_mode Q, int drop, int bits>
constexpr integer<bits + 1> rounded(integer<bits> value) {
  using unsigned_type = unsigned _BitInt(bits + 1);
  integer<bits + 1> floor = value;
  const bool half = (floor >> (drop - 1) & 1) != 0, is_negative = value < 0;
  const bool rest =
      (static_cast<unsigned_type>(floor) & ~(static_cast<unsigned_type>(-1) << (drop - 1))) != 0;
  floor >>= drop;
  bool up = false;
  switch (Q) {
    case AP_TRN:
      break;
    case AP_TRN_ZERO:
      up = is_negative && (half || rest);
      break;
    case AP_RND:
      up = half;
      break;
    case AP_RND_ZERO:
      up = half && (rest || is_negative);
      break;
    case AP_RND_MIN_INF:
      up = half && rest;
      break;
    case AP_RND_INF:
      up = half && (rest || !is_negative);
      break;
    case AP_RND_CONV:
      up = half && (rest || (floor & 1) != 0);
      break;
  }
  return floor + up;
}

// The number `value` / 2^from in units of 2^-to. `drops`: from > to.
template <ap_q_mode Q, int from, int to, bool drops = (from > to)>
struct moved {
  template <int bits>
  static constexpr auto point(integer<bits> value) {
    constexpr int drop = from - to < bits ? from - to : bits;  // further bits are the sign
    return rounded<Q, drop, bits>(value);
  }
};
template <ap_q_mode Q, int from, int to>
struct moved<Q, from, to, false> {
  template <int bits>
  static constexpr integer<bits + to - from> point(integer<bits> value) {
    return up<bits + to - from>(value, to - from);
  }
};

// The range of W bits.
template <int bits, int W, bool is_signed>
constexpr integer<bits> greatest() {
  return ~static_cast<unsigned _BitInt(is_signed ? W - 1 : W)>(0);
}
template <int bits, int W, bool is_signed, ap_o_mode O>
constexpr integer<bits> least() {
  return !is_signed        ? integer<bits>(0)
         : O == AP_SAT_SYM ? -greatest<bits, W, is_signed>()
                           : -greatest<bits, W, is_signed>() - 1;
}

// `value` in W bits.
template <int W, bool is_signed, ap_o_mode O, int bits>
constexpr integer<W + 1> limited(integer<bits> value) {
  constexpr int wide = max(bits, W) + 2;
  if (O == AP_WRAP && is_signed) return static_cast<signed _BitInt(max(W, 2))>(value);
  if (O == AP_WRAP) return static_cast<unsigned _BitInt(W)>(value);
  if (value > greatest<wide, W, is_signed>())
    return O == AP_SAT_ZERO ? integer<W + 1>(0) : greatest<W + 1, W, is_signed>();
  if (value < least<wide, W, is_signed, O>())
    return O == AP_SAT_ZERO ? integer<W + 1>(0) : least<W + 1, W, is_signed, O>();
  return static_cast<integer<W + 1>>(value);
}

// Integers as numbers without a fraction.
template <class T>
struct number;
template <int bits>
struct number<signed _BitInt(bits)> {
  using type = fixed_point<bits, bits, true>;
};
template <int bits>
struct number<unsigned _BitInt(bits)> {
  using type = fixed_point<bits, bits, false>;
};
template <>
struct number<bool> {
  using type = fixed_point<1, 1, false>;
};
#define HLS_FIXED_INTEGER(integer_type)                                        \
  template <>                                                                  \
  struct number<integer_type> {                                                \
    static constexpr int bits = 8 * sizeof(integer_type);                      \
    using type = fixed_point<bits, bits, (static_cast<integer_type>(-1) < 0)>; \
  };
HLS_FIXED_INTEGER(char)
HLS_FIXED_INTEGER(signed char)
HLS_FIXED_INTEGER(unsigned char)
HLS_FIXED_INTEGER(short)
HLS_FIXED_INTEGER(unsigned short)
HLS_FIXED_INTEGER(int)
HLS_FIXED_INTEGER(unsigned)
HLS_FIXED_INTEGER(long)
HLS_FIXED_INTEGER(unsigned long)
HLS_FIXED_INTEGER(long long)
HLS_FIXED_INTEGER(unsigned long long)
#undef HLS_FIXED_INTEGER

}  // namespace fixed_detail

template <int W, int I, bool is_signed, ap_q_mode Q, ap_o_mode O>
class fixed_point {
  static_assert(W >= (is_signed ? 2 : 1), "a signed number has at least 2 bits, an unsigned one 1");

 public:
  static constexpr int width = W, iwidth = I, fraction = W - I;
  static constexpr bool is_signed_type = is_signed;
  static constexpr ap_q_mode qmode = Q;
  static constexpr ap_o_mode omode = O;
  // Holds every value, in units of 2^-fraction.
  using raw_type = fixed_detail::integer<W + 1>;
  using bits_type = unsigned _BitInt(W);

  fixed_point() = default;
  template <int W2, int I2, bool is_signed2, ap_q_mode Q2, ap_o_mode O2>
  constexpr fixed_point(const fixed_point<W2, I2, is_signed2, Q2, O2>& from)  // NOLINT: implicit
      : fixed_point(from_scaled<W2 - I2, W2 + 1>(from.raw())) {}
  template <class T, class Number = typename fixed_detail::number<T>::type>
  constexpr fixed_point(T integer)  // NOLINT: implicit
      : fixed_point(
            from_scaled<0, Number::width + 1>(static_cast<typename Number::raw_type>(integer))) {}
  // Any constant but NaN, infinities included.
  constexpr fixed_point(double constant)  // NOLINT: implicit
      : fixed_point(from_scaled<fraction + 3, eighths_bits>(eighths(constant))) {}

  // The number raw / 2^fraction, without a check: the low W bits.
  static constexpr fixed_point from_raw(raw_type raw) {
    fixed_point result{};
    result.stored_ = static_cast<stored>(fixed_detail::limited<W, is_signed, AP_WRAP, W + 1>(raw));
    return result;
  }
  // Only the low W bits are used: the compiler sees that the others are copies of the sign.
  constexpr raw_type raw() const {
    return is_signed ? static_cast<raw_type>(
                           static_cast<signed _BitInt(fixed_detail::max(W, 2))>(stored_))
                     : static_cast<raw_type>(static_cast<bits_type>(stored_));
  }

  // --- Bits, as in memory: 0 is the last. `high` >= `low` ---

  // What range() of a variable gives: to be read and assigned. range() of a constant or a temporary
  // gives the bits themselves.
  class bit_range {
   public:
    constexpr bit_range(const bit_range&) = default;
    constexpr operator bits_type() const {  // NOLINT: implicit
      return static_cast<const fixed_point&>(of_).range(high_, low_);
    }
    // The bits as an unsigned number, as an int.
    constexpr int to_int() const { return static_cast<int>(static_cast<bits_type>(*this)); }
    constexpr const bit_range& operator=(bits_type bits) const {
      const bits_type mask = ones(high_, low_);
      of_.set_bits((of_.all_bits() & ~mask) | (static_cast<bits_type>(bits << low_) & mask));
      return *this;
    }
    constexpr const bit_range& operator=(const bit_range& from) const {
      return *this = static_cast<bits_type>(from);
    }

   private:
    friend class fixed_point;
    constexpr bit_range(fixed_point& of, int high, int low) : of_(of), high_(high), low_(low) {}
    fixed_point& of_;
    const int high_, low_;
  };
  constexpr bits_type range(int high, int low) const& {
    return static_cast<bits_type>((all_bits() & ones(high, low)) >> low);
  }
  constexpr bit_range range(int high, int low) & { return bit_range(*this, high, low); }
  constexpr bits_type range() const& { return all_bits(); }
  constexpr bit_range range() & { return range(W - 1, 0); }
  constexpr bool operator[](int bit) const { return (all_bits() >> bit & 1) != 0; }

  // --- Conversions ---

  // To zero, as from float to int.
  constexpr int64_t to_int64() const {
    return static_cast<int64_t>(fixed_detail::limited<64, true, AP_WRAP, 64 + 1>(
        fixed_point<64, 64, true, AP_TRN_ZERO>(*this).raw()));
  }
  constexpr int to_int() const { return static_cast<int>(to_int64()); }
  constexpr explicit operator bool() const { return raw() != 0; }
  constexpr double to_double() const {
    return static_cast<double>(raw()) * fixed_detail::power(-fraction);
  }

  // --- Arithmetic on itself ---

  constexpr fixed_point<W + 1, I + 1, true> operator-() const {
    return fixed_point<W + 1, I + 1, true>::from_raw(
        -static_cast<fixed_detail::integer<W + 2>>(raw()));
  }
  constexpr const fixed_point& operator+() const { return *this; }
  // Shifts keep the type: bits are lost at both ends, all of them from W on. Negative amounts shift
  // to the other side.
  constexpr fixed_point operator<<(int by) const {
    return by < 0 ? shifted_down(opposite(by)) : shifted_up(by);
  }
  constexpr fixed_point operator>>(int by) const {
    return by < 0 ? shifted_up(opposite(by)) : shifted_down(by);
  }
  template <class T>
  constexpr fixed_point& operator+=(const T& other) {
    return *this = *this + other;
  }
  template <class T>
  constexpr fixed_point& operator-=(const T& other) {
    return *this = *this - other;
  }
  template <class T>
  constexpr fixed_point& operator*=(const T& other) {
    return *this = *this * other;
  }
  template <class T>
  constexpr fixed_point& operator/=(const T& other) {
    return *this = *this / other;
  }

 private:
  using stored = typename fixed_detail::storage<W, is_signed>::type;

  template <int from, int bits>
  static constexpr fixed_point from_scaled(fixed_detail::integer<bits> value) {
    return exactly(fixed_detail::limited<W, is_signed, O>(
        fixed_detail::moved<Q, from, fraction>::template point<bits>(value)));
  }
  static constexpr fixed_point exactly(raw_type raw) {
    fixed_point result{};
    result.stored_ = static_cast<stored>(raw);
    return result;
  }
  constexpr bits_type all_bits() const { return static_cast<bits_type>(stored_); }
  constexpr void set_bits(bits_type bits) { *this = from_raw(static_cast<raw_type>(bits)); }
  static constexpr bits_type ones(int high, int low) {
    return static_cast<bits_type>(static_cast<bits_type>(~bits_type(0)) >> (W - 1 - high + low)
                                                                               << low);
  }

  static constexpr int opposite(int by) { return by < -W ? W : -by; }
  constexpr fixed_point shifted_up(int by) const {
    return by >= W ? from_raw(0) : from_raw(fixed_detail::up<W + 1>(raw(), by));
  }
  constexpr fixed_point shifted_down(int by) const {
    return from_raw(static_cast<raw_type>(raw() >> (by > W ? W : by)));
  }

  // floor(8 * constant * 2^fraction), with the last bit set if that is not exact: what every
  // rounding mode needs. A double has 53 bits: from 2^(W + 57) units on the low W bits are 0, and
  // the first of these numbers stands for all.
  static constexpr int eighths_bits = W + 62;
  static constexpr fixed_detail::integer<eighths_bits> eighths(double constant) {
    using eighths_type = fixed_detail::integer<eighths_bits>;
    constexpr double units = fixed_detail::power(fraction + 3), limit = fixed_detail::power(W + 60);
    const double scaled = constant * units;
    if (scaled >= limit) return eighths_type(1) << (W + 60);
    if (scaled <= -limit) return -(eighths_type(1) << (W + 60));
    eighths_type floor = static_cast<eighths_type>(scaled);
    if (static_cast<double>(floor) > scaled) floor -= 1;
    return static_cast<double>(floor) == scaled ? floor : floor | 1;
  }

  stored stored_;
};

// --- Arithmetic on two numbers: exact ---

namespace fixed_detail {

// Both operands with the same fraction, as integers.
template <class A, class B>
struct aligned {
  static constexpr int fraction = max(A::fraction, B::fraction);
  static constexpr bool is_signed = A::is_signed_type || B::is_signed_type;
  static constexpr int of(bool has_sign, int iwidth) { return iwidth + (is_signed && !has_sign); }
  static constexpr int iwidth =
      max(of(A::is_signed_type, A::iwidth), of(B::is_signed_type, B::iwidth));
  static constexpr int bits = max(iwidth + fraction, 1) + 2;
  static constexpr integer<bits> a(const A& x) { return up<bits>(x.raw(), fraction - A::fraction); }
  static constexpr integer<bits> b(const B& x) { return up<bits>(x.raw(), fraction - B::fraction); }
  using sum = fixed_point<iwidth + 1 + fraction, iwidth + 1, is_signed>;
  using difference = fixed_point<iwidth + 1 + fraction, iwidth + 1, true>;
  static constexpr sum plus(const A& x, const B& y) {
    return sum::from_raw(static_cast<typename sum::raw_type>(a(x) + b(y)));
  }
  static constexpr difference minus(const A& x, const B& y) {
    return difference::from_raw(static_cast<typename difference::raw_type>(a(x) - b(y)));
  }
};

template <class A, class B>
struct product {
  static constexpr bool is_signed = A::is_signed_type || B::is_signed_type;
  using type = fixed_point<A::width + B::width, A::iwidth + B::iwidth, is_signed>;
  static constexpr type of(const A& a, const B& b) {
    return type::from_raw(static_cast<typename type::raw_type>(
        static_cast<integer<A::width + B::width + 2>>(a.raw()) *
        static_cast<integer<A::width + B::width + 2>>(b.raw())));
  }
};

template <class A, class B>
struct quotient {
  static constexpr int shift = B::fraction > 0 ? B::fraction : 0;
  static constexpr bool is_signed = A::is_signed_type || B::is_signed_type;
  using type = fixed_point<A::width + shift + B::is_signed_type,
                           A::iwidth + B::fraction + B::is_signed_type, is_signed>;
  static constexpr type of(const A& a, const B& b) {
    constexpr int bits = max(A::width + shift, B::width) + 2;
    return type::from_raw(static_cast<typename type::raw_type>(
        up<bits>(a.raw(), shift) / static_cast<integer<bits>>(b.raw())));
  }
};

}  // namespace fixed_detail

#define HLS_FIXED_PARAMETERS(n) int W##n, int I##n, bool S##n, ap_q_mode Q##n, ap_o_mode O##n
#define HLS_FIXED_TYPE(n) fixed_point<W##n, I##n, S##n, Q##n, O##n>
// The operator for two numbers, and for a number and an integer on either side.
#define HLS_FIXED_OPERATOR(sign, result, value)                                                 \
  template <HLS_FIXED_PARAMETERS(1), HLS_FIXED_PARAMETERS(2), class A = HLS_FIXED_TYPE(1),      \
            class B = HLS_FIXED_TYPE(2)>                                                        \
  constexpr result operator sign(const HLS_FIXED_TYPE(1) & a, const HLS_FIXED_TYPE(2) & b) {    \
    return value;                                                                               \
  }                                                                                             \
  template <HLS_FIXED_PARAMETERS(1), class T, class A = HLS_FIXED_TYPE(1),                      \
            class B = typename fixed_detail::number<T>::type>                                   \
  constexpr result operator sign(const HLS_FIXED_TYPE(1) & a, T integer) {                      \
    const B b(integer);                                                                         \
    return value;                                                                               \
  }                                                                                             \
  template <class T, HLS_FIXED_PARAMETERS(2), class A = typename fixed_detail::number<T>::type, \
            class B = HLS_FIXED_TYPE(2)>                                                        \
  constexpr result operator sign(T integer, const HLS_FIXED_TYPE(2) & b) {                      \
    const A a(integer);                                                                         \
    return value;                                                                               \
  }
#define HLS_FIXED_ALIGNED typename fixed_detail::aligned<A, B>
#define HLS_FIXED_PRODUCT typename fixed_detail::product<A, B>
#define HLS_FIXED_QUOTIENT typename fixed_detail::quotient<A, B>
#define HLS_FIXED_A fixed_detail::aligned<A, B>::a(a)
#define HLS_FIXED_B fixed_detail::aligned<A, B>::b(b)

HLS_FIXED_OPERATOR(+, HLS_FIXED_ALIGNED::sum, (fixed_detail::aligned<A, B>::plus(a, b)))
HLS_FIXED_OPERATOR(-, HLS_FIXED_ALIGNED::difference, (fixed_detail::aligned<A, B>::minus(a, b)))
HLS_FIXED_OPERATOR(*, HLS_FIXED_PRODUCT::type, (fixed_detail::product<A, B>::of(a, b)))
HLS_FIXED_OPERATOR(/, HLS_FIXED_QUOTIENT::type, (fixed_detail::quotient<A, B>::of(a, b)))
HLS_FIXED_OPERATOR(==, bool, (HLS_FIXED_A == HLS_FIXED_B))
HLS_FIXED_OPERATOR(!=, bool, (HLS_FIXED_A != HLS_FIXED_B))
HLS_FIXED_OPERATOR(<, bool, (HLS_FIXED_A < HLS_FIXED_B))
HLS_FIXED_OPERATOR(<=, bool, (HLS_FIXED_A <= HLS_FIXED_B))
HLS_FIXED_OPERATOR(>, bool, (HLS_FIXED_A > HLS_FIXED_B))
HLS_FIXED_OPERATOR(>=, bool, (HLS_FIXED_A >= HLS_FIXED_B))

#undef HLS_FIXED_A
#undef HLS_FIXED_B
#undef HLS_FIXED_QUOTIENT
#undef HLS_FIXED_PRODUCT
#undef HLS_FIXED_ALIGNED
#undef HLS_FIXED_OPERATOR
#undef HLS_FIXED_TYPE
#undef HLS_FIXED_PARAMETERS

}  // namespace hls

#endif  // VTA_HW_HLS_FIXED_H_
