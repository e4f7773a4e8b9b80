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

// The largest distance of a result from the function, of all 256 numbers; in levels of the result.
double largest_error(OpKind kind, int frac_in, int frac_out) {
  const auto gate = integer_gate(node_of(kind), frac_in, frac_out);
  if (!gate) return 1e9;
  const Tensor x({256}, all_numbers());
  const Tensor y = host::execute(gate->kind, gate->attrs, {x, x});
  double largest = 0;
  for (size_t i = 0; i < 256; ++i) {
    const double real = real_of(kind, std::ldexp(x.data<int8_t>()[i], -frac_in));
    const double level = std::min(std::max(std::ldexp(real, frac_out), -127.0), 127.0);
    largest = std::max(largest, std::abs(y.data<int8_t>()[i] - level));
  }
  return largest;
}

// Half a level is rounding.
TEST(Gate, IsWithinHalfALevelAndAFiftieth) {
  for (OpKind kind : {OpKind::kHardSigmoid, OpKind::kHardSwish}) {
    for (int frac_in = 0; frac_in <= 7; ++frac_in) {
      for (int frac_out = 0; frac_out <= 8; ++frac_out) {
        EXPECT_LE(largest_error(kind, frac_in, frac_out), 0.52)
            << to_string(kind) << " " << frac_in << " to " << frac_out;
      }
    }
  }
}

TEST(Gate, IsLeftToATableWhereTheAluHasNoConstant) {
  EXPECT_FALSE(integer_gate(node_of(OpKind::kHardSwish), -1, 3));  // 3 is 1.5 levels
  EXPECT_FALSE(integer_gate(node_of(OpKind::kHardSwish), 13, 13));
  EXPECT_FALSE(integer_gate(node_of(OpKind::kSigmoid), 4, 7));
  graph::Node falling = node_of(OpKind::kHardSigmoid);
  falling.attrs.alpha = -0.25;
  EXPECT_FALSE(integer_gate(falling, 4, 7));
}

}  // namespace
}  // namespace vta::quantize
