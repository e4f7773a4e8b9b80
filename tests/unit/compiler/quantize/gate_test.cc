// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/host/host_operators.h"

namespace vta::quantize {
namespace {

graph::Node node_of(OpKind kind) {
  graph::Node node;
  node.kind = kind;
  node.attrs.alpha = 1.0 / 6;
  node.attrs.beta = 0.5;
  return node;
}

double real_of(OpKind kind, double x) {
  const double gate = std::min(std::max(x / 6 + 0.5, 0.0), 1.0);
  return kind == OpKind::kHardSwish ? x * gate : gate;
}

std::vector<int8_t> all_numbers() {
  std::vector<int8_t> all;
  for (int i = -128; i < 128; ++i) all.push_back(static_cast<int8_t>(i));
  return all;
}

Levels of_bits(int frac_bits) { return {std::ldexp(1.0, -frac_bits), 0, -127}; }

// The largest distance of a result from the function, of all 256 numbers; in levels of the result.
double largest_error(OpKind kind, const Levels& in, const Levels& out) {
  const auto gate = integer_gate(node_of(kind), in, out);
  if (!gate) return 1e9;
  const Tensor x({256}, all_numbers());
  const Tensor y = host::execute(gate->kind, gate->attrs, {x, x});
  double largest = 0;
  for (size_t i = 0; i < 256; ++i) {
    const double real = real_of(kind, in.real(x.data<int8_t>()[i]));
    const double level = std::clamp(real / out.unit + static_cast<double>(out.zero),
                                    static_cast<double>(out.lo), static_cast<double>(out.hi));
    largest = std::max(largest, std::abs(y.data<int8_t>()[i] - level));
  }
  return largest;
}

// Half a level is rounding.
TEST(Gate, IsWithinHalfALevelAndAFiftieth) {
  for (OpKind kind : {OpKind::kHardSigmoid, OpKind::kHardSwish}) {
    for (int frac_in = 0; frac_in <= 7; ++frac_in) {
      for (int frac_out = 0; frac_out <= 8; ++frac_out) {
        EXPECT_LE(largest_error(kind, of_bits(frac_in), of_bits(frac_out)), 0.52)
            << to_string(kind) << " " << frac_in << " to " << frac_out;
      }
    }
  }
}

// Any unit of the result, and of x one of which 3 is a multiple.
TEST(Gate, HasFreeScales) {
  for (double full : {9.0, 50.0, 111.0}) {
    for (double unit : {0.011, 0.0371, 0.2}) {
      const Levels x{3 / full, 0}, result{unit, 0};
      EXPECT_LE(largest_error(OpKind::kHardSwish, x, result), 0.52) << full << " " << unit;
      const Levels any{3.1 / full, -17}, gate{1.0 / 255, -128};
      EXPECT_LE(largest_error(OpKind::kHardSigmoid, any, gate), 0.52) << full;
    }
  }
}

TEST(Gate, IsLeftToATableWithZeroPoints) {
  const Levels x{0.1, 3}, result{0.1, 0}, third{0.1, 0};
  EXPECT_FALSE(integer_gate(node_of(OpKind::kHardSwish), x, result));
  EXPECT_FALSE(integer_gate(node_of(OpKind::kHardSwish), third, x));
  EXPECT_FALSE(integer_gate(node_of(OpKind::kHardSwish), {0.11, 0}, result));  // 3 is not a level
}

TEST(Gate, IsLeftToATableWhereTheAluHasNoConstant) {
  EXPECT_FALSE(
      integer_gate(node_of(OpKind::kHardSwish), of_bits(-1), of_bits(3)));  // 3 is 1.5 levels
  EXPECT_FALSE(integer_gate(node_of(OpKind::kHardSwish), of_bits(13), of_bits(13)));
  EXPECT_FALSE(integer_gate(node_of(OpKind::kSigmoid), of_bits(4), of_bits(7)));
  graph::Node falling = node_of(OpKind::kHardSigmoid);
  falling.attrs.alpha = -0.25;
  EXPECT_FALSE(integer_gate(falling, of_bits(4), of_bits(7)));
}

}  // namespace
}  // namespace vta::quantize
