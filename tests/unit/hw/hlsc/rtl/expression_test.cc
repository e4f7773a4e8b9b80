// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/rtl/expression.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "hw/hlsc/rtl/print_verilog.h"

namespace vta::hlsc::rtl {
namespace {

const Expression kA = net("a", 8), kB = net("b", 4), kC = net("c"), kD = net("d");

TEST(ExpressionWidth, IsTheSelfDeterminedWidth) {
  EXPECT_EQ((kA + kB).width(), 8u);
  EXPECT_EQ(shift_left(kB, kA).width(), 4u);
  EXPECT_EQ(equal(kA, kB).width(), 1u);
  EXPECT_EQ(less(kA, kB).width(), 1u);
  EXPECT_EQ(greater_equal(kA, kB).width(), 1u);
  EXPECT_EQ(conditional(kC, kB, kA).width(), 8u);
  EXPECT_EQ(concatenation({kA, kB, kC}).width(), 13u);
  EXPECT_EQ(replication(3, kB).width(), 12u);
  EXPECT_EQ(range(kA, 6, 2).width(), 5u);
  EXPECT_EQ(part(kA, kB, 2).width(), 2u);
  EXPECT_EQ(bits(kA, 3, 1).width(), 1u);
  EXPECT_EQ(reduce_or(kA).width(), 1u);
  EXPECT_EQ((~kA).width(), 8u);
  EXPECT_EQ(literal(5, 3).width(), 5u);
}

TEST(ExpressionText, HasTheParenthesesThatPrecedenceRequires) {
  EXPECT_EQ(print_verilog(kC | (kD & kA)), "c | d & a");
  EXPECT_EQ(print_verilog((kC | kD) & kA), "(c | d) & a");
  EXPECT_EQ(print_verilog(~(kC | kD)), "~(c | d)");
  EXPECT_EQ(print_verilog(equal(kA, kB) & kC), "a == b & c");
  EXPECT_EQ(print_verilog(equal(kA, kB & kC)), "a == (b & c)");
  EXPECT_EQ(print_verilog(kC & (kD & kA)), "c & (d & a)");
  EXPECT_EQ(print_verilog(kA - kB - kC), "a - b - c");
  EXPECT_EQ(print_verilog(kA - (kB - kC)), "a - (b - c)");
  EXPECT_EQ(print_verilog(conditional(conditional(kC, kD, kD), kA, conditional(kC, kA, kB))),
            "(c ? d : d) ? a : c ? a : b");
}

// IEEE 1800-2017, A.8.3: the operand of a unary operator is a primary.
TEST(ExpressionText, NeverStacksUnaryOperators) {
  EXPECT_EQ(print_verilog(~~kA), "a");
  EXPECT_EQ(print_verilog(~~~kA), "~a");
  EXPECT_EQ(print_verilog(~reduce_or(kA)), "~(|a)");
  EXPECT_EQ(print_verilog(reduce_or(~kA)), "|(~a)");
  EXPECT_EQ(print_verilog(reduce_or(reduce_or(kA))), "|(|a)");
  EXPECT_EQ(print_verilog(kC & ~kD), "c & ~d");
  EXPECT_EQ(print_verilog(kC | reduce_or(kA)), "c | |a");
}

TEST(ExpressionText, KeepsExplicitParentheses) {
  EXPECT_EQ(print_verilog(parentheses(kC) | parentheses(kD)), "(c) | (d)");
}

TEST(ExpressionText, CoversSelectionsAndConcatenations) {
  EXPECT_EQ(print_verilog(bits(kA, 3, 1)), "a[3]");
  EXPECT_EQ(print_verilog(bits(kA, 2, 4)), "a[5:2]");
  EXPECT_EQ(print_verilog(range(kA, 3, 3)), "a[3:3]");
  EXPECT_EQ(print_verilog(part(kA, kB * number(2), 2)), "a[b * 2 +: 2]");
  EXPECT_EQ(print_verilog(concatenation({kA, replication(2, kC), literal(3, 5)})),
            "{a, {2{c}}, 3'd5}");
  EXPECT_EQ(print_verilog(cast(4, shift_right(kA, kB))), "4'(a >> b)");
  EXPECT_EQ(print_verilog(shift_right_arithmetic(as_signed(kA), kB)), "$signed(a) >>> b");
}

// Icarus reads no token of 16,384 characters.
TEST(ExpressionText, SplitsLongLiterals) {
  const std::string zeros(4095, '0');
  EXPECT_EQ(print_verilog(literal_text("32774'h3f" + zeros + "1" + "8" + zeros, 32774)),
            "{6'h3f, 16384'h" + zeros + "1, 16384'h8" + zeros + "}");
  EXPECT_EQ(print_verilog(literal_text("60'hfff", 60)), "60'hfff");
}

TEST(ExpressionEquality, ComparesTrees) {
  EXPECT_EQ(kC & kD, net("c") & net("d"));
  EXPECT_FALSE((kC & kD) == (kD & kC));
  EXPECT_FALSE((kC & kD) == parentheses(kC & kD));
  EXPECT_EQ(Expression(), Expression());
  EXPECT_FALSE(Expression() == kC);
}

TEST(Expressions, RefuseAbsentOperands) {
  EXPECT_THROW(kC & Expression(), std::logic_error);
  EXPECT_THROW(~Expression(), std::logic_error);
  EXPECT_THROW(concatenation({kA, Expression()}), std::logic_error);
}

}  // namespace
}  // namespace vta::hlsc::rtl
