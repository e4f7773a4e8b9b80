// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "compiler/graph/graph.h"
#include "tests/support/error_in.h"

namespace vta::graph {
namespace {

// A node of every kind.
constexpr const char* kEveryOperator = R"(graph every.operator-1
%x = input() : float32[1, 2, 4, 4]
%y = input() {index = 1} : float32[1, 2, 4, 4]
%w = constant() : float32[2, 2, 1, 1] = [1, -0.5, 1e-20, 3]
%b = constant() : float32[2] = [0.1, 0.25]
%conv = conv2d(%x, %w, %b) : float32[1, 2, 4, 4]
%norm = batch_norm(%conv, %b, %b, %b, %b) {epsilon = 0.001} : float32[1, 2, 4, 4]
%sum = add(%norm, %y) : float32[1, 2, 4, 4]
%relu = relu(%sum) : float32[1, 2, 4, 4]
%clip = clip(%relu) {hi = 6} : float32[1, 2, 4, 4]
%max = max_pool2d(%clip) {kernel = [3, 3], pad = [1, 1, 1, 1]} : float32[1, 2, 4, 4]
%avg = avg_pool2d(%max) {kernel = [2, 2], stride = [2, 2], ceil_mode = true} : float32[1, 2, 2, 2]
%q = quantize(%avg) {frac_bits = 4} : int8[1, 2, 2, 2]
%qw = constant() : int8[2, 2, 1, 1] = [1, -2, 3, -127]
%qb = constant() : int32[2] = [-70000, 5]
%qconv = qconv2d(%q, %qw, %qb) {shift = 3, lo = -127, hi = 127} : int8[1, 2, 2, 2] @core
%qadd = qadd(%qconv, %q) {shift_b = 1, shift = 1, relu = true, hi = 127} : int8[1, 2, 2, 2] @core
%slice = strided_slice(%qadd) {begin = [0, 0, 0, 0], end = [1, 2, 2, 2], step = [1, 1, 2, 2]} : int8[1, 2, 1, 1]
%pad = pad(%slice) {before = [0, 1, 0, 0], after = [0, 1, 0, 0]} : int8[1, 4, 1, 1]
%pool = global_sum_pool2d(%pad) : int32[1, 4, 1, 1]
%rows = flatten(%pool) : int32[1, 4]
%real = dequantize(%rows) {frac_bits = 4, divisor = 49} : float32[1, 4]
%fw = constant() : float32[3, 4] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
%fc = dense(%real, %fw) : float32[1, 3]
%out = softmax(%fc) : float32[1, 3]
return %out, %clip
)";

std::string error_of(const std::string& text) {
  return error_in([&] { from_text(text); }, ErrorCode::kCorrupt);
}

TEST(GraphText, RoundTrips) {
  const Graph graph = from_text(kEveryOperator);
  verify(graph);
  EXPECT_EQ(to_text(graph), kEveryOperator);
}

TEST(GraphText, WritesChecksumsOfLargeConstants) {
  Graph graph;
  graph.name = "g";
  graph.set_outputs({graph.add_constant("c", Tensor({DType::kInt8, {17}}))});
  const std::string text = to_text(graph);
  EXPECT_EQ(text, "graph g\n%c = constant() : int8[17] crc32 0xc9eff1bd\nreturn %c\n");
  EXPECT_EQ(to_text(from_text(text)), text);
}

TEST(GraphText, SkipsEmptyLinesAndComments) {
  EXPECT_EQ(to_text(from_text("# a comment\ngraph g\n\n%x = input():float32[1]\n  return %x")),
            "graph g\n%x = input() : float32[1]\nreturn %x\n");
}

TEST(GraphText, NamesTheLineOfAnError) {
  EXPECT_EQ(error_of("graph g\n%x = input() : float32[1]\nreturn %y\n"),
            "graph text, line 3: %y is not defined above");
  EXPECT_EQ(error_of("graph g\n%x = input() : float32[1]\n%y = relu(%x) : float32[2]\nreturn %y\n"),
            "graph text, line 3: %y has type float32[1], not float32[2]");
}

TEST(GraphText, RefusesInvalidText) {
  const std::string head = "graph g\n%x = input() : float32[1, 2]\n";
  for (const char* line : {
           "%y = relu(%y) : float32[1, 2]",
           "%x = relu(%x) : float32[1, 2]",
           "%y = relu(%x, %x) : float32[1, 2]",
           "%y = relux(%x) : float32[1, 2]",
           "%y = relu(%x) {hi = 3} : float32[1, 2]",
           "%y = relu(%x) : float33[1, 2]",
           "%y = relu(%x) : float32[]",
           "%y = relu(%x) : float32[1, 2",
           "%y = relu(%x",
           "%y = relu(%x) float32[1, 2]",
           "y = relu(%x) : float32[1, 2]",
           "%y = relu(%x) : float32[1, 2] @cores",
           "%y = relu(%x) {a : float32[1, 2]",
           "%y = input(%x) : float32[1, 2]",
           "%y = constant(%x) : float32[1, 2]",
           "%y = constant() : float32[2] = [1]",
           "%y = constant() : float32[2] = [1, 2, 3]",
           "%y = constant() : int8[1] = [128]",
           "%y = constant() : int8[1] = [1.5]",
           "%y = constant() : float32[0] = []",
           "%y = constant() : float32[-1]",
           "%y = constant() : float32[99999999999999999999]",
           "%y = constant() : float32[2000000000, 2000000000]",
           "%y = constant() : float32[1000000000]",
           "graph h",
       }) {
    EXPECT_NE(error_of(head + line + "\nreturn %x\n"), "") << line;
  }
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of("%x = input() : float32[1]\nreturn %x\n"), "");
  EXPECT_NE(error_of(head), "");
  EXPECT_NE(error_of(head + "return\n"), "");
  EXPECT_NE(error_of(head + "return %x\nreturn %x\n"), "");
}

// Any damaged text gives a graph or one Error.
TEST(GraphText, SurvivesDamage) {
  const std::string text = kEveryOperator;
  for (size_t end = 0; end < text.size(); ++end) {
    try {
      from_text(text.substr(0, end));
    } catch (const Error&) {
    }
  }
  Random random(3);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = text;
    for (int64_t i = random.between(1, 4); i > 0; --i) {
      damaged[static_cast<size_t>(random.between(0, static_cast<int64_t>(text.size()) - 1))] =
          random.chance(50) ? static_cast<char>(random.next())
                            : text[static_cast<size_t>(random.between(0, 900))];
    }
    try {
      verify(from_text(damaged));
    } catch (const Error&) {
    } catch (const std::logic_error&) {  // of verify(): the index of an input
    }
  }
}

}  // namespace
}  // namespace vta::graph
