// SPDX-License-Identifier: Apache-2.0
//
// Passes that simplify imported operators: text in, text out, and the same results.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/numbers/random.h"
#include "compiler/graph/passes/canonicalize.h"
#include "compiler/graph/passes/fold_affine.h"
#include "compiler/graph/passes/fold_batch_norm.h"
#include "compiler/graph/passes/fold_pad.h"
#include "compiler/graph/passes/left_products.h"
#include "compiler/graph/passes/merge_gates.h"
#include "compiler/graph/passes/merge_movements.h"
#include "compiler/graph/passes/sink_movements.h"
#include "runtime/host/host_operators.h"

namespace vta::graph {
namespace {

using Pass = bool (*)(Graph&);

Graph with_random_constants(const std::string& text) {
  Graph graph = from_text(text);
  Random random(3);
  for (NodeId id : graph.order()) {
    Node& node = graph.node(id);
    if (node.kind != OpKind::kConstant || has_values_in_text(node.value)) continue;
    for (float& x : node.value.mutable_data<float>()) x = static_cast<float>(random.normal());
  }
  return graph;
}

Tensor result_of(const Graph& graph) {
  std::map<NodeId, Tensor> values;
  Random random(4);
  for (NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    if (node.kind == OpKind::kConstant) {
      values[id] = node.value;
    } else if (node.kind == OpKind::kInput) {
      Tensor input(node.type);
      for (float& x : input.mutable_data<float>()) x = static_cast<float>(random.normal());
      values[id] = input;
    } else {
      std::vector<Tensor> operands;
      for (NodeId input : node.inputs) operands.push_back(values.at(input));
      values[id] = host::execute(node.kind, node.attrs, operands);
    }
  }
  return values.at(graph.outputs()[0]);
}

std::vector<std::string> kinds(const Graph& graph) {
  std::vector<std::string> result;
  for (NodeId id : graph.order()) {
    const OpKind kind = graph.node(id).kind;
    if (kind != OpKind::kConstant && kind != OpKind::kInput) result.push_back(to_string(kind));
  }
  return result;
}

// The pass gives the expected operators and keeps the results.
void expect_kinds(Pass pass, const std::string& text, const std::vector<std::string>& after) {
  Graph graph = with_random_constants(text);
  verify(graph);
  const std::vector<std::string> before = kinds(graph);
  const Tensor expected = result_of(graph);
  EXPECT_EQ(pass(graph), before != after) << text;
  verify(graph);
  EXPECT_EQ(kinds(graph), after) << to_text(graph);
  EXPECT_FALSE(pass(graph)) << "a second run changes nothing";
  const Tensor actual = result_of(graph);
  ASSERT_EQ(actual.type(), expected.type());
  for (int64_t i = 0; i < expected.num_elems(); ++i) {
    const float x = expected.data<float>()[i];
    ASSERT_NEAR(actual.data<float>()[i], x, 1e-5 * (1 + std::abs(x))) << to_text(graph);
  }
}

TEST(Canonicalize, MinAndMaxWithNumbersAreReluAndClip) {
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%zero = constant() : float32[1] = [0]
%half = constant() : float32[1, 1, 1, 1] = [0.5]
%max = max(%x, %zero) : float32[1, 2, 3, 3]
%min = min(%half, %max) : float32[1, 2, 3, 3]
%sum = add(%min, %max) : float32[1, 2, 3, 3]
return %sum
)",
               {"relu", "clip", "add"});
}

TEST(Canonicalize, MinOfTensorsStays) {
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%y = input() {index = 1} : float32[1, 2, 3, 3]
%min = min(%x, %y) : float32[1, 2, 3, 3]
return %min
)",
               {"min"});
}

TEST(Canonicalize, DifferencesAndQuotientsAreSumsAndProducts) {
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%mean = constant() : float32[2, 1, 1] = [0.5, 0.25]
%deviation = constant() : float32[2, 1, 1] = [0.2, -3]
%sub = sub(%x, %mean) : float32[1, 2, 3, 3]
%div = div(%sub, %deviation) : float32[1, 2, 3, 3]
%other = sub(%mean, %div) : float32[1, 2, 3, 3]
return %other
)",
               {"add", "mul", "sub"});
}

TEST(Canonicalize, ExactlyOnlyDivisionsByPowersOfTwoAreProducts) {
  expect_kinds(canonicalize_exactly, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%four = constant() : float32[1] = [4]
%three = constant() : float32[1] = [3]
%a = div(%x, %four) : float32[1, 2, 3, 3]
%b = div(%a, %three) : float32[1, 2, 3, 3]
return %b
)",
               {"mul", "div"});
}

TEST(Canonicalize, ADivisionByZeroStays) {
  Graph graph = from_text(R"(graph g
%x = input() : float32[1, 2]
%zero = constant() : float32[1, 2] = [1, 0]
%div = div(%x, %zero) : float32[1, 2]
return %div
)");
  EXPECT_FALSE(canonicalize(graph));
}

TEST(Canonicalize, MeansOverImagesArePools) {
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[1, 3, 4, 5]
%a = reduce_mean(%x) {axes = [-1, 2], keep_dims = false} : float32[1, 3]
return %a
)",
               {"global_avg_pool2d", "flatten"});
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[1, 3, 4, 5]
%a = reduce_mean(%x) {axes = [2, 3]} : float32[1, 3, 1, 1]
return %a
)",
               {"global_avg_pool2d"});
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[1, 3, 4, 5]
%a = reduce_mean(%x) {axes = [1, 2]} : float32[1, 1, 1, 5]
return %a
)",
               {"reduce_mean"});
}

TEST(Canonicalize, ProductsWithConstantMatricesAreDenseLayers) {
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[2, 5]
%w = constant() : float32[5, 4] crc32 0x0
%y = matmul(%x, %w) : float32[2, 4]
return %y
)",
               {"dense"});
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[1, 3, 2, 5]
%w = constant() : float32[5, 4] crc32 0x0
%y = matmul(%x, %w) : float32[1, 3, 2, 4]
return %y
)",
               {"reshape", "dense", "reshape"});
}

TEST(Canonicalize, AReshapeToRowsIsFlatten) {
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[1, 3, 2, 5]
%y = reshape(%x) {shape = [1, 30]} : float32[1, 30]
%z = reshape(%y) {shape = [3, 10]} : float32[3, 10]
return %z
)",
               {"flatten", "reshape"});
}

TEST(Canonicalize, PrelusAreLeakyRelusOrDepthwiseConvolutions) {
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%slope = constant() : float32[1] = [0.25]
%y = prelu(%x, %slope) : float32[1, 2, 3, 3]
return %y
)",
               {"leaky_relu"});
  constexpr const char* kPerChannel = R"(graph g
%x = input() : float32[1, 2, 3, 3]
%slopes = constant() : float32[2, 1, 1] = [0.25, -0.5]
%w = constant() : float32[2, 2, 1, 1] = [1, 2, 3, 4]
%y = prelu(%x, %slopes) : float32[1, 2, 3, 3]
%z = conv2d(%y, %w) {kernel = [1, 1]} : float32[1, 2, 3, 3]
return %z
)";
  const auto with_convolutions = [](Graph& graph) {
    const bool changes = canonicalize(graph);
    return fold_affine(graph) || changes;
  };
  expect_kinds(with_convolutions, kPerChannel, {"clip", "conv2d", "add", "conv2d"});
  expect_kinds(canonicalize_exactly, kPerChannel, {"prelu", "conv2d"});
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%slopes = constant() : float32[3, 1] = [0.25, -0.5, 2]
%w = constant() : float32[2, 2, 1, 1] = [1, 2, 3, 4]
%y = prelu(%x, %slopes) : float32[1, 2, 3, 3]
%z = conv2d(%y, %w) {kernel = [1, 1]} : float32[1, 2, 3, 3]
return %z
)",
               {"prelu", "conv2d"});
}

// The host computes it as fast, and without the roundings of the convolution and the sum.
TEST(Canonicalize, APreluAfterTheLastLayerStays) {
  expect_kinds(canonicalize, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%w = constant() : float32[2, 2, 1, 1] = [1, 2, 3, 4]
%slopes = constant() : float32[2, 1, 1] = [0.25, -0.5]
%y = conv2d(%x, %w) {kernel = [1, 1]} : float32[1, 2, 3, 3]
%z = prelu(%y, %slopes) : float32[1, 2, 3, 3]
return %z
)",
               {"conv2d", "prelu"});
}

TEST(MergeGates, ATensorTimesItsSigmoidIsSilu) {
  expect_kinds(merge_gates, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%gate = sigmoid(%x) : float32[1, 2, 3, 3]
%y = mul(%gate, %x) : float32[1, 2, 3, 3]
return %y
)",
               {"silu"});
}

TEST(MergeGates, AGateWithOtherUsesStays) {
  expect_kinds(merge_gates, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%gate = sigmoid(%x) : float32[1, 2, 3, 3]
%y = mul(%x, %gate) : float32[1, 2, 3, 3]
%z = add(%y, %gate) : float32[1, 2, 3, 3]
return %z
)",
               {"sigmoid", "silu", "add"});
}

TEST(MergeGates, AGateOfAnotherTensorStays) {
  expect_kinds(merge_gates, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%y = tanh(%x) : float32[1, 2, 3, 3]
%gate = sigmoid(%y) : float32[1, 2, 3, 3]
%z = mul(%x, %gate) : float32[1, 2, 3, 3]
return %z
)",
               {"tanh", "sigmoid", "mul"});
}

TEST(MergeGates, HardSwishOfPaddle) {
  expect_kinds(merge_gates, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%three = constant() : float32[1] = [3]
%sixth = constant() : float32[1] = [0.16666667]
%sum = add(%x, %three) : float32[1, 2, 3, 3]
%gate = clip(%sum) {lo = 0, hi = 6} : float32[1, 2, 3, 3]
%product = mul(%x, %gate) : float32[1, 2, 3, 3]
%y = mul(%product, %sixth) : float32[1, 2, 3, 3]
return %y
)",
               {"hard_swish"});
}

TEST(MergeGates, HardSwishOfPyTorch) {
  expect_kinds(merge_gates, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%three = constant() : float32[1] = [3]
%sixth = constant() : float32[1] = [0.16666667]
%sum = add(%three, %x) : float32[1, 2, 3, 3]
%clip = clip(%sum) {lo = 0, hi = 6} : float32[1, 2, 3, 3]
%gate = mul(%clip, %sixth) : float32[1, 2, 3, 3]
%y = mul(%gate, %x) : float32[1, 2, 3, 3]
return %y
)",
               {"hard_swish"});
}

TEST(MergeGates, GeluOfPyTorch) {
  expect_kinds(merge_gates, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%root = constant() : float32[1] = [0.70710677]
%one = constant() : float32[1] = [1]
%half = constant() : float32[1] = [0.5]
%scaled = mul(%x, %root) : float32[1, 2, 3, 3]
%erf = erf(%scaled) : float32[1, 2, 3, 3]
%gate = add(%erf, %one) : float32[1, 2, 3, 3]
%product = mul(%x, %gate) : float32[1, 2, 3, 3]
%y = mul(%product, %half) : float32[1, 2, 3, 3]
%halved = mul(%half, %y) : float32[1, 2, 3, 3]
%scaled2 = mul(%y, %root) : float32[1, 2, 3, 3]
%erf2 = erf(%scaled2) : float32[1, 2, 3, 3]
%gate2 = add(%erf2, %one) : float32[1, 2, 3, 3]
%z = mul(%halved, %gate2) : float32[1, 2, 3, 3]
return %z
)",
               {"gelu", "gelu"});
}

TEST(MergeGates, AHardGateOfOtherNumbersStays) {
  expect_kinds(merge_gates, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%gate = hard_sigmoid(%x) {alpha = 0.2, beta = 0.5} : float32[1, 2, 3, 3]
%y = mul(%x, %gate) : float32[1, 2, 3, 3]
return %y
)",
               {"hard_sigmoid", "mul"});
}

TEST(FoldAffine, GoesIntoConvolutionsOfEveryKind) {
  expect_kinds(fold_affine, R"(graph g
%x = input() : float32[1, 4, 5, 5]
%w = constant() : float32[6, 2, 3, 3] crc32 0x0
%b = constant() : float32[6] = [1, 2, 3, 4, 5, 6]
%s = constant() : float32[1, 6, 1, 1] = [1, 2, -3, 0.25, 0, 7]
%t = constant() : float32[6, 1, 1] = [1, 0, 2, -4, 0.5, 3]
%conv = conv2d(%x, %w, %b) {kernel = [3, 3], groups = 2} : float32[1, 6, 3, 3]
%mul = mul(%conv, %s) : float32[1, 6, 3, 3]
%add = add(%t, %mul) : float32[1, 6, 3, 3]
return %add
)",
               {"conv2d"});
  expect_kinds(fold_affine, R"(graph g
%x = input() : float32[1, 4, 3, 3]
%w = constant() : float32[4, 3, 2, 2] crc32 0x0
%s = constant() : float32[6, 1, 1] = [1, 2, -3, 0.25, 0, 7]
%up = conv2d_transpose(%x, %w) {kernel = [2, 2], stride = [2, 2], groups = 2} : float32[1, 6, 6, 6]
%mul = mul(%s, %up) : float32[1, 6, 6, 6]
return %mul
)",
               {"conv2d_transpose"});
  expect_kinds(fold_affine, R"(graph g
%x = input() : float32[2, 5]
%w = constant() : float32[4, 5] crc32 0x0
%b = constant() : float32[4] = [1, 2, 3, 4]
%two = constant() : float32[1] = [2]
%y = dense(%x, %w) : float32[2, 4]
%add = add(%y, %b) : float32[2, 4]
%mul = mul(%add, %two) : float32[2, 4]
return %mul
)",
               {"dense"});
}

TEST(FoldAffine, StandalonePerChannelFactorsAreADepthwiseConvolution) {
  expect_kinds(fold_affine, R"(graph g
%x = input() : float32[1, 2, 5, 5]
%s = constant() : float32[2, 1, 1] = [2, -3]
%t = constant() : float32[2, 1, 1] = [1, 5]
%relu = relu(%x) : float32[1, 2, 5, 5]
%mul = mul(%relu, %s) : float32[1, 2, 5, 5]
%add = add(%mul, %t) : float32[1, 2, 5, 5]
return %add
)",
               {"relu", "conv2d"});
}

TEST(FoldAffine, KeepsTensorsWithOtherUsesAndConstantsOnOtherAxes) {
  expect_kinds(fold_affine, R"(graph g
%x = input() : float32[1, 2, 2, 2]
%w = constant() : float32[2, 2, 1, 1] = [1, 2, 3, 4]
%s = constant() : float32[2] = [2, -3]
%conv = conv2d(%x, %w) : float32[1, 2, 2, 2]
%mul = mul(%conv, %s) : float32[1, 2, 2, 2]
return %mul
)",
               {"conv2d", "mul"});
  expect_kinds(fold_affine, R"(graph g
%x = input() : float32[1, 2, 2, 2]
%w = constant() : float32[2, 2, 1, 1] = [1, 2, 3, 4]
%s = constant() : float32[1] = [2]
%conv = conv2d(%x, %w) : float32[1, 2, 2, 2]
%mul = mul(%conv, %s) : float32[1, 2, 2, 2]
%both = add(%mul, %conv) : float32[1, 2, 2, 2]
return %both
)",
               {"conv2d", "mul", "add"});
}

TEST(FoldBatchNorm, GoesIntoATransposedConvolution) {
  expect_kinds(fold_batch_norm, R"(graph g
%x = input() : float32[1, 4, 3, 3]
%w = constant() : float32[4, 3, 2, 2] crc32 0x0
%gamma = constant() : float32[6] = [1, 2, 3, 4, 5, 6]
%beta = constant() : float32[6] = [1, 0, 2, -4, 0.5, 3]
%mean = constant() : float32[6] = [0, 1, 2, 3, 4, 5]
%variance = constant() : float32[6] = [1, 4, 2, 1, 3, 1]
%up = conv2d_transpose(%x, %w) {kernel = [2, 2], groups = 2} : float32[1, 6, 4, 4]
%norm = batch_norm(%up, %gamma, %beta, %mean, %variance) : float32[1, 6, 4, 4]
return %norm
)",
               {"conv2d_transpose"});
}

TEST(FoldPad, GoesIntoTheWindowOfAConvolution) {
  expect_kinds(fold_pad, R"(graph g
%x = input() : float32[1, 2, 4, 4]
%w = constant() : float32[3, 2, 3, 3] crc32 0x0
%pad = pad(%x) {before = [0, 0, 1, 0], after = [0, 0, 2, 1]} : float32[1, 2, 7, 5]
%conv = conv2d(%pad, %w) {kernel = [3, 3], pad = [1, 1, 0, 0]} : float32[1, 3, 6, 4]
return %conv
)",
               {"conv2d"});
}

TEST(FoldPad, GoesIntoPoolsIfResultsDoNotChange) {
  const auto pools = [](const std::string& before, const std::string& value,
                        const std::string& pool) {
    return "graph g\n%x = input() : float32[1, 2, 4, 4]\n%in = " + before +
           "(%x) : float32[1, 2, 4, 4]\n%pad = pad(%in) {before = [0, 0, 1, 1], after = [0, 0, 1, "
           "1]" +
           value + "} : float32[1, 2, 6, 6]\n%pool = " + pool +
           " {kernel = [3, 3]} : float32[1, 2, 4, 4]\nreturn %pool\n";
  };
  expect_kinds(fold_pad, pools("relu", "", "max_pool2d(%pad)"), {"relu", "max_pool2d"});
  expect_kinds(fold_pad, pools("tanh", "", "max_pool2d(%pad)"), {"tanh", "pad", "max_pool2d"});
  expect_kinds(fold_pad, pools("tanh", "", "avg_pool2d(%pad)"), {"tanh", "avg_pool2d"});
  expect_kinds(fold_pad, pools("tanh", ", pad_value = -3.4028234663852886e+38", "max_pool2d(%pad)"),
               {"tanh", "max_pool2d"});
  expect_kinds(fold_pad, pools("tanh", ", pad_value = 1", "avg_pool2d(%pad)"),
               {"tanh", "pad", "avg_pool2d"});
}

TEST(MergeMovements, ConsecutiveSlicesWithPositiveStepsAreOne) {
  graph::Graph graph = graph::from_text(R"(graph g
%x = input() : float32[1, 20]
%a = strided_slice(%x) {begin = [0, 1], end = [1, 19], step = [1, 2]} : float32[1, 9]
%b = strided_slice(%a) {begin = [0, 2], end = [1, 9], step = [1, 3]} : float32[1, 3]
return %b
)");
  EXPECT_TRUE(merge_movements(graph));
  EXPECT_EQ(to_text(graph), R"(graph g
%x = input() : float32[1, 20]
%b = strided_slice(%x) {begin = [0, 5], end = [1, 18], step = [1, 6]} : float32[1, 3]
return %b
)");
  expect_kinds(merge_movements, R"(graph g
%x = input() : float32[1, 4]
%a = strided_slice(%x) {begin = [0, 3], end = [1, -1], step = [1, -1]} : float32[1, 4]
%b = strided_slice(%a) {begin = [0, 0], end = [1, 4], step = [1, 2]} : float32[1, 2]
return %b
)",
               {"strided_slice", "strided_slice"});
}

TEST(MergeMovements, ConsecutiveTransposesAndReshapesAreAtMostOne) {
  expect_kinds(merge_movements, R"(graph g
%x = input() : float32[2, 3, 4]
%a = transpose(%x) {perm = [1, 2, 0]} : float32[3, 4, 2]
%b = transpose(%a) {perm = [0, 2, 1]} : float32[3, 2, 4]
return %b
)",
               {"transpose"});
  expect_kinds(merge_movements, R"(graph g
%x = input() : float32[2, 3, 4]
%a = transpose(%x) {perm = [1, 2, 0]} : float32[3, 4, 2]
%b = transpose(%a) {perm = [2, 0, 1]} : float32[2, 3, 4]
%c = tanh(%b) : float32[2, 3, 4]
%d = reshape(%c) {shape = [6, 4]} : float32[6, 4]
%e = flatten(%d) : float32[6, 4]
%f = reshape(%e) {shape = [2, 12]} : float32[2, 12]
return %f
)",
               {"tanh", "reshape"});
}

TEST(LeftProducts, BecomeConvolutions) {
  expect_kinds(left_products_to_convolutions, R"(graph g
%x = input() : float32[1, 1, 16, 5]
%w = constant() : float32[8, 16] crc32 0x00000000
%y = matmul(%w, %x) : float32[1, 1, 8, 5]
return %y
)",
               {"reshape", "conv2d", "reshape"});
}

TEST(LeftProducts, OfSmallMatricesAndTensorsStay) {
  expect_kinds(left_products_to_convolutions, R"(graph g
%x = input() : float32[1, 7, 5]
%w = constant() : float32[8, 7] crc32 0x00000000
%y = matmul(%w, %x) : float32[1, 8, 5]
return %y
)",
               {"matmul"});
  expect_kinds(left_products_to_convolutions, R"(graph g
%x = input() : float32[1, 16, 8]
%w = constant() : float32[2, 8, 16] crc32 0x00000000
%y = matmul(%w, %x) : float32[2, 8, 8]
return %y
)",
               {"matmul"});
}

bool sink_and_merge(Graph& graph) {
  const bool changed = sink_movements(graph);
  return merge_movements(graph) || changed;
}

TEST(SinkMovements, TransposesAroundElementsVanish) {
  expect_kinds(sink_and_merge, R"(graph g
%x = input() : float32[1, 6, 4, 5]
%a = transpose(%x) {perm = [0, 2, 3, 1]} : float32[1, 4, 5, 6]
%m = constant() : float32[6] = [1, 2, 3, 4, 5, 6]
%b = sub(%a, %m) : float32[1, 4, 5, 6]
%s = constant() : float32[1, 1, 5, 6] crc32 0x00000000
%c = mul(%s, %b) : float32[1, 4, 5, 6]
%n = constant() : float32[1] = [0.5]
%d = add(%c, %n) : float32[1, 4, 5, 6]
%e = tanh(%d) : float32[1, 4, 5, 6]
%f = transpose(%e) {perm = [0, 3, 1, 2]} : float32[1, 6, 4, 5]
return %f
)",
               {"sub", "mul", "add", "tanh"});
}

TEST(SinkMovements, TransposesOfEqualOrderJoin) {
  expect_kinds(sink_and_merge, R"(graph g
%x = input() : float32[1, 6, 4, 5]
%a = transpose(%x) {perm = [0, 2, 3, 1]} : float32[1, 4, 5, 6]
%y = relu(%x) : float32[1, 6, 4, 5]
%b = transpose(%y) {perm = [0, 2, 3, 1]} : float32[1, 4, 5, 6]
%c = add(%a, %b) : float32[1, 4, 5, 6]
%d = concat(%c, %b) {axis = 3} : float32[1, 4, 5, 12]
%e = transpose(%d) {perm = [0, 3, 1, 2]} : float32[1, 12, 4, 5]
return %e
)",
               {"relu", "add", "concat"});
}

TEST(SinkMovements, AxesOfConcatsMayCountFromTheEnd) {
  expect_kinds(sink_and_merge, R"(graph g
%x = input() : float32[1, 6, 4, 5]
%a = transpose(%x) {perm = [0, 2, 3, 1]} : float32[1, 4, 5, 6]
%b = concat(%a, %a) {axis = -1} : float32[1, 4, 5, 12]
%c = transpose(%b) {perm = [0, 3, 1, 2]} : float32[1, 12, 4, 5]
return %c
)",
               {"concat"});
}

// Otherwise they would become layers, and be quantized, or be several.
TEST(SinkMovements, MovementsWithoutAnInverseStay) {
  expect_kinds(sink_and_merge, R"(graph g
%x = input() : float32[1, 6, 4, 5]
%a = transpose(%x) {perm = [0, 2, 3, 1]} : float32[1, 4, 5, 6]
%m = constant() : float32[6] = [1, 2, 3, 4, 5, 6]
%b = mul(%a, %m) : float32[1, 4, 5, 6]
%c = relu(%b) : float32[1, 4, 5, 6]
%d = softmax(%c) {axis = 3} : float32[1, 4, 5, 6]
return %d
)",
               {"transpose", "mul", "relu", "softmax"});
}

TEST(SinkMovements, OutputsKeepTheirNames) {
  Graph graph = from_text(R"(graph g
%x = input() : float32[1, 6, 4, 5]
%a = transpose(%x) {perm = [0, 2, 3, 1]} : float32[1, 4, 5, 6]
%act = relu(%a) : float32[1, 4, 5, 6]
%b = transpose(%act) {perm = [0, 3, 1, 2]} : float32[1, 6, 4, 5]
return %act, %b
)");
  sink_movements(graph);
  EXPECT_EQ(graph.node(graph.outputs()[0]).name, "act");
  EXPECT_EQ(graph.node(graph.outputs()[0]).kind, OpKind::kRelu);
}

TEST(LeftProducts, KeepTheNameOfAnOutput) {
  Graph graph = with_random_constants(R"(graph g
%x = input() : float32[1, 1, 16, 5]
%w = constant() : float32[8, 16] crc32 0x00000000
%y = matmul(%w, %x) : float32[1, 1, 8, 5]
return %y
)");
  left_products_to_convolutions(graph);
  EXPECT_EQ(graph.node(graph.outputs()[0]).name, "y");
}

TEST(SinkMovements, TransposesStayBeforeOperandsOfAnotherOrder) {
  expect_kinds(sink_and_merge, R"(graph g
%x = input() : float32[4, 4]
%a = transpose(%x) {perm = [1, 0]} : float32[4, 4]
%b = add(%a, %x) : float32[4, 4]
%c = transpose(%b) {perm = [1, 0]} : float32[4, 4]
return %c
)",
               {"transpose", "add", "transpose"});
}

// A residual block of 1-D convolutions, each as a 2-D one between reshapes.
TEST(SinkMovements, ReshapesThatAddAxesVanish) {
  expect_kinds(sink_and_merge, R"(graph g
%x = input() : float32[1, 3, 8]
%a = reshape(%x) {shape = [1, 3, 1, 8]} : float32[1, 3, 1, 8]
%b = softmax(%a) {axis = 1} : float32[1, 3, 1, 8]
%c = reshape(%b) {shape = [1, 3, 8]} : float32[1, 3, 8]
%k = constant() : float32[3, 1] = [1, 2, 3]
%d = mul(%c, %k) : float32[1, 3, 8]
%e = add(%d, %x) : float32[1, 3, 8]
%f = reshape(%e) {shape = [1, 3, 1, 8]} : float32[1, 3, 1, 8]
%g = tanh(%f) : float32[1, 3, 1, 8]
%h = softmax(%g) {axis = 1} : float32[1, 3, 1, 8]
return %h
)",
               {"reshape", "softmax", "mul", "add", "tanh", "softmax"});
}

// The core takes images: a sum of images stays one.
TEST(SinkMovements, ReshapesToImagesStay) {
  expect_kinds(sink_and_merge, R"(graph g
%x = input() : float32[1, 3, 8]
%a = reshape(%x) {shape = [1, 3, 1, 8]} : float32[1, 3, 1, 8]
%b = softmax(%a) {axis = 1} : float32[1, 3, 1, 8]
%c = add(%b, %a) : float32[1, 3, 1, 8]
%d = relu(%a) : float32[1, 3, 1, 8]
%e = mul(%c, %d) : float32[1, 3, 1, 8]
return %e
)",
               {"reshape", "softmax", "add", "relu", "mul"});
}

TEST(SinkMovements, ReshapesThatMoveElementsOfAxesStay) {
  expect_kinds(sink_and_merge, R"(graph g
%x = input() : float32[1, 6, 4]
%a = reshape(%x) {shape = [1, 3, 8]} : float32[1, 3, 8]
%b = relu(%a) : float32[1, 3, 8]
return %b
)",
               {"reshape", "relu"});
}

// The gate of a squeeze-and-excite block: the result has the feature map's shape.
TEST(SinkMovements, ReshapesOfOperandsThatBroadcastStay) {
  expect_kinds(sink_and_merge, R"(graph g
%x = input() : float32[1, 3]
%f = constant() : float32[1, 3, 2, 2] crc32 0x00000000
%a = reshape(%x) {shape = [1, 3, 1, 1]} : float32[1, 3, 1, 1]
%b = mul(%f, %a) : float32[1, 3, 2, 2]
return %b
)",
               {"reshape", "mul"});
}

}  // namespace
}  // namespace vta::graph
