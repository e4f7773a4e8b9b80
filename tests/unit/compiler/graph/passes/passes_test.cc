// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "base/numbers/random.h"
#include "compiler/graph/passes/erase_identities.h"
#include "compiler/graph/passes/fold_batch_norm.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/passes/hoist_average_pools.h"
#include "runtime/host/host_operators.h"
#include "tests/support/error_in.h"

namespace vta::graph {
namespace {

using Pass = bool (*)(Graph&);

void expect_rewritten(Pass pass, const std::string& before, const std::string& after) {
  Graph graph = from_text(before);
  verify(graph);
  EXPECT_EQ(pass(graph), to_text(from_text(before)) != after);
  verify(graph);
  EXPECT_EQ(to_text(graph), after);
  EXPECT_FALSE(pass(graph)) << "a second run changes nothing";
}

void expect_unchanged(Pass pass, const std::string& text) {
  expect_rewritten(pass, text, to_text(from_text(text)));
}

TEST(FoldBatchNorm, ScalesWeightsAndMakesABias) {
  // Channel 0: gamma 2, variance 4 -> scale 1; channel 1: gamma 3, variance 1 -> scale 3.
  expect_rewritten(fold_batch_norm, R"(graph g
%x = input() : float32[1, 1, 2, 2]
%w = constant() : float32[2, 1, 1, 1] = [5, 7]
%conv = conv2d(%x, %w) : float32[1, 2, 2, 2]
%gamma = constant() : float32[2] = [2, 3]
%beta = constant() : float32[2] = [0.5, 1]
%mean = constant() : float32[2] = [1, 2]
%var = constant() : float32[2] = [4, 1]
%norm = batch_norm(%conv, %gamma, %beta, %mean, %var) {epsilon = 0} : float32[1, 2, 2, 2]
%relu = relu(%norm) : float32[1, 2, 2, 2]
return %relu
)",
                   R"(graph g
%x = input() : float32[1, 1, 2, 2]
%conv.folded_weight = constant() : float32[2, 1, 1, 1] = [5, 21]
%conv.folded_bias = constant() : float32[2] = [-0.5, -5]
%conv = conv2d(%x, %conv.folded_weight, %conv.folded_bias) : float32[1, 2, 2, 2]
%relu = relu(%conv) : float32[1, 2, 2, 2]
return %relu
)");
}

TEST(FoldBatchNorm, ScalesTheBiasOfADenseLayer) {
  expect_rewritten(fold_batch_norm, R"(graph g
%x = input() : float32[1, 2]
%w = constant() : float32[1, 2] = [5, 7]
%b = constant() : float32[1] = [10]
%fc = dense(%x, %w, %b) : float32[1, 1]
%one = constant() : float32[1] = [1]
%var = constant() : float32[1] = [4]
%norm = batch_norm(%fc, %one, %one, %one, %var) {epsilon = 0} : float32[1, 1]
return %norm
)",
                   R"(graph g
%x = input() : float32[1, 2]
%fc.folded_weight = constant() : float32[1, 2] = [2.5, 3.5]
%fc.folded_bias = constant() : float32[1] = [5.5]
%fc = dense(%x, %fc.folded_weight, %fc.folded_bias) : float32[1, 1]
return %fc
)");
}

TEST(FoldBatchNorm, ChoosesAnotherNameIfItsNameIsTaken) {
  expect_rewritten(fold_batch_norm, R"(graph g
%x = input() : float32[1, 2]
%w = constant() : float32[1, 2] = [5, 7]
%fc = dense(%x, %w) : float32[1, 1]
%one = constant() : float32[1] = [1]
%norm = batch_norm(%fc, %one, %one, %one, %one) {epsilon = 0} : float32[1, 1]
%fc.folded_weight = relu(%norm) : float32[1, 1]
return %fc.folded_weight
)",
                   R"(graph g
%x = input() : float32[1, 2]
%fc.folded_weight_2 = constant() : float32[1, 2] = [5, 7]
%fc.folded_bias = constant() : float32[1] = [0]
%fc = dense(%x, %fc.folded_weight_2, %fc.folded_bias) : float32[1, 1]
%fc.folded_weight = relu(%fc) : float32[1, 1]
return %fc.folded_weight
)");
}

TEST(FoldBatchNorm, RefusesAVarianceWithInfiniteResults) {
  Graph graph = from_text(R"(graph g
%x = input() : float32[1, 1]
%w = constant() : float32[1, 1] = [5]
%fc = dense(%x, %w) : float32[1, 1]
%one = constant() : float32[1] = [1]
%zero = constant() : float32[1] = [0]
%norm = batch_norm(%fc, %one, %one, %one, %zero) {epsilon = 0} : float32[1, 1]
return %norm
)");
  const Error error = expect_error([&] { fold_batch_norm(graph); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(
      std::string(error.what()),
      "fc.folded_weight: a folded value is inf: the factor is too large (of a batch norm: the "
      "variance too small)");
}

TEST(FoldBatchNorm, BecomesADepthwiseConvolutionWithoutALayerBeforeIt) {
  expect_rewritten(fold_batch_norm, R"(graph g
%x = input() : float32[1, 2, 3, 3]
%gamma = constant() : float32[2] = [2, 3]
%zero = constant() : float32[2] = [0, 0]
%var = constant() : float32[2] = [4, 1]
%norm = batch_norm(%x, %gamma, %gamma, %zero, %var) {epsilon = 0} : float32[1, 2, 3, 3]
return %norm
)",
                   R"(graph g
%x = input() : float32[1, 2, 3, 3]
%norm.folded_weight = constant() : float32[2, 1, 1, 1] = [1, 3]
%norm.folded_bias = constant() : float32[2] = [2, 3]
%norm = conv2d(%x, %norm.folded_weight, %norm.folded_bias) {groups = 2} : float32[1, 2, 3, 3]
return %norm
)");
}

TEST(FoldBatchNorm, KeepsAConvolutionWithOtherUses) {
  expect_rewritten(fold_batch_norm, R"(graph g
%x = input() : float32[1, 1, 2, 2]
%one = constant() : float32[1] = [1]
%w = constant() : float32[1, 1, 1, 1] = [5]
%conv = conv2d(%x, %w) : float32[1, 1, 2, 2]
%norm = batch_norm(%conv, %one, %one, %one, %one) {epsilon = 0} : float32[1, 1, 2, 2]
%sum = add(%conv, %norm) : float32[1, 1, 2, 2]
return %sum
)",
                   R"(graph g
%x = input() : float32[1, 1, 2, 2]
%w = constant() : float32[1, 1, 1, 1] = [5]
%conv = conv2d(%x, %w) : float32[1, 1, 2, 2]
%norm.folded_weight = constant() : float32[1, 1, 1, 1] = [1]
%norm.folded_bias = constant() : float32[1] = [0]
%norm = conv2d(%conv, %norm.folded_weight, %norm.folded_bias) : float32[1, 1, 2, 2]
%sum = add(%conv, %norm) : float32[1, 1, 2, 2]
return %sum
)");
}

TEST(FoldBatchNorm, KeepsBatchNormsWithComputedOperandsAndOfRows) {
  expect_unchanged(fold_batch_norm, R"(graph g
%x = input() : float32[1, 2]
%v = input() {index = 1} : float32[2]
%one = constant() : float32[2] = [1, 1]
%norm = batch_norm(%x, %one, %one, %one, %one) : float32[1, 2]
%other = batch_norm(%norm, %v, %one, %one, %one) : float32[1, 2]
return %other
)");
}

TEST(FoldBatchNorm, KeepsTheNetworksResults) {
  Random random(4);
  for (int round = 0; round < 20; ++round) {
    const auto values = [&random](std::vector<int64_t> shape, double low) {
      Tensor tensor({DType::kFloat32, std::move(shape)});
      for (float& v : tensor.mutable_data<float>()) v = static_cast<float>(low + random.unit());
      return tensor;
    };
    const int64_t ic = random.between(1, 5), oc = random.between(1, 7);
    const Tensor x = values({1, ic, 5, 5}, -0.5), w = values({oc, ic, 3, 3}, -0.5);
    const std::vector<Tensor> norm = {values({oc}, 0.5), values({oc}, -0.5), values({oc}, -0.5),
                                      values({oc}, 0.1)};
    Graph graph;
    graph.name = "g";
    OpAttrs conv;
    conv.kernel = {3, 3};
    conv.pad = {1, 1, 1, 1};
    const NodeId input = graph.add_input("x", x.type());
    const NodeId y = graph.add(OpKind::kConv2d, "conv", {input, graph.add_constant("w", w)}, conv);
    std::vector<NodeId> operands = {y};
    for (size_t i = 0; i < 4; ++i) {
      operands.push_back(graph.add_constant("p" + std::to_string(i), norm[i]));
    }
    graph.set_outputs({graph.add(OpKind::kBatchNorm, "norm", operands)});
    const Tensor plain = host::execute(OpKind::kConv2d, conv, {x, w});
    const Tensor expected =
        host::execute(OpKind::kBatchNorm, {}, {plain, norm[0], norm[1], norm[2], norm[3]});
    ASSERT_TRUE(fold_batch_norm(graph));
    const Node& folded = graph.node(graph.outputs()[0]);
    const Tensor actual =
        host::execute(folded.kind, folded.attrs,
                      {x, graph.node(folded.inputs[1]).value, graph.node(folded.inputs[2]).value});
    for (size_t i = 0; i < expected.data<float>().size(); ++i) {
      EXPECT_NEAR(actual.data<float>()[i], expected.data<float>()[i], 1e-4);
    }
  }
}

TEST(HoistAveragePools, ConvolvesPooledPixels) {
  expect_rewritten(hoist_average_pools, R"(graph g
%x = input() : float32[1, 1, 5, 4]
%w = constant() : float32[64, 1, 1, 1] crc32 0x0d968558
%conv = conv2d(%x, %w) : float32[1, 64, 5, 4]
%pool = avg_pool2d(%conv) {kernel = [2, 2], stride = [2, 2]} : float32[1, 64, 2, 2]
%relu = relu(%pool) : float32[1, 64, 2, 2]
return %relu
)",
                   R"(graph g
%x = input() : float32[1, 1, 5, 4]
%w = constant() : float32[64, 1, 1, 1] crc32 0x0d968558
%pool = avg_pool2d(%x) {kernel = [2, 2], stride = [2, 2]} : float32[1, 1, 2, 2]
%conv = conv2d(%pool, %w) : float32[1, 64, 2, 2]
%relu = relu(%conv) : float32[1, 64, 2, 2]
return %relu
)");
}

TEST(HoistAveragePools, KeepsPoolsThatDoNotCommuteOrSaveNothing) {
  const std::string text = R"(graph g
%x = input() : float32[1, 1, 4, 4]
%w = constant() : float32[64, 1, 1, 1] crc32 0x0d968558
%conv = conv2d(%x, %w) : float32[1, 64, 4, 4]
%pool = avg_pool2d(%conv) {kernel = [2, 2], stride = [2, 2]} : float32[1, 64, 2, 2]
return %pool
)";
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string result = text;
    result.replace(result.find(from), from.size(), to);
    return result;
  };
  EXPECT_TRUE([&] {
    Graph graph = from_text(text);
    return hoist_average_pools(graph);
  }());
  expect_unchanged(hoist_average_pools, changed("return %pool", "return %pool, %conv"));
  expect_unchanged(hoist_average_pools,
                   changed("stride = [2, 2]} : float32[1, 64, 2, 2]",
                           "stride = [2, 2], pad = [1, 1, 1, 1]} : float32[1, 64, 3, 3]"));
  expect_unchanged(hoist_average_pools, changed("stride = [2, 2]} : float32[1, 64, 2, 2]",
                                                "pad = [1, 1, 0, 0]} : float32[1, 64, 4, 4]"));
  expect_unchanged(hoist_average_pools, R"(graph g
%x = input() : float32[1, 1, 4, 4]
%w = constant() : float32[63, 1, 1, 1] crc32 0xa66359f1
%conv = conv2d(%x, %w) : float32[1, 63, 4, 4]
%pool = avg_pool2d(%conv) {kernel = [2, 2], stride = [2, 2]} : float32[1, 63, 2, 2]
return %pool
)");
}

TEST(HoistAveragePools, KeepsTheNetworksResults) {
  Random random(6);
  const auto values = [&random](std::vector<int64_t> shape) {
    Tensor tensor({DType::kFloat32, std::move(shape)});
    for (float& v : tensor.mutable_data<float>()) v = static_cast<float>(random.unit() - 0.5);
    return tensor;
  };
  const Tensor x = values({2, 12, 7, 6}), w = values({64, 12, 1, 1}), b = values({64});
  OpAttrs pool;
  pool.kernel = {3, 2};
  pool.stride = {2, 1};
  const Tensor expected =
      host::execute(OpKind::kAvgPool2d, pool, {host::execute(OpKind::kConv2d, {}, {x, w, b})});
  const Tensor actual =
      host::execute(OpKind::kConv2d, {}, {host::execute(OpKind::kAvgPool2d, pool, {x}), w, b});
  ASSERT_EQ(actual.type(), expected.type());
  for (size_t i = 0; i < expected.data<float>().size(); ++i)
    EXPECT_NEAR(actual.data<float>()[i], expected.data<float>()[i], 1e-5);
}

TEST(FoldConstants, EvaluatesOperatorsOnConstants) {
  expect_rewritten(fold_constants, R"(graph g
%x = input() : float32[1, 2]
%a = constant() : float32[1, 2] = [1, -2]
%b = constant() : float32[1, 2] = [3, 1]
%sum = add(%a, %b) : float32[1, 2]
%relu = relu(%sum) : float32[1, 2]
%out = add(%x, %relu) : float32[1, 2]
return %out
)",
                   R"(graph g
%x = input() : float32[1, 2]
%relu = constant() : float32[1, 2] = [4, 0]
%out = add(%x, %relu) : float32[1, 2]
return %out
)");
}

TEST(FoldConstants, KeepsOperatorsOnInputs) {
  expect_unchanged(fold_constants, R"(graph g
%x = input() : float32[1, 2]
%a = constant() : float32[1, 2] = [1, -2]
%out = add(%x, %a) : float32[1, 2]
return %out
)");
}

TEST(EraseIdentities, ReplacesIdentitiesByTheirOperand) {
  expect_rewritten(erase_identities, R"(graph g
%x = input() : float32[1, 2, 1, 1]
%pad = pad(%x) {before = [0, 0, 0, 0], after = [0, 0, 0, 0]} : float32[1, 2, 1, 1]
%slice = strided_slice(%pad) {begin = [0, 0, 0, 0], end = [1, 2, 1, 1], step = [1, 1, 1, 1]} : float32[1, 2, 1, 1]
%pool = max_pool2d(%slice) : float32[1, 2, 1, 1]
%relu = relu(%pool) : float32[1, 2, 1, 1]
%again = relu(%relu) : float32[1, 2, 1, 1]
%rows = flatten(%again) : float32[1, 2]
%again2 = flatten(%rows) : float32[1, 2]
%still = transpose(%again2) {perm = [0, 1]} : float32[1, 2]
%one = concat(%still) {axis = 1} : float32[1, 2]
%out = reshape(%one) {shape = [1, 2]} : float32[1, 2]
return %out
)",
                   R"(graph g
%x = input() : float32[1, 2, 1, 1]
%relu = relu(%x) : float32[1, 2, 1, 1]
%rows = flatten(%relu) : float32[1, 2]
return %rows
)");
}

TEST(EraseIdentities, KeepsOperatorsThatChangeShapesOrValues) {
  expect_unchanged(erase_identities, R"(graph g
%x = input() : float32[1, 2, 4, 4]
%pool = max_pool2d(%x) {kernel = [3, 3], pad = [1, 1, 1, 1]} : float32[1, 2, 4, 4]
%slice = strided_slice(%pool) {begin = [0, 0, 0, 0], end = [1, 2, 4, 4], step = [1, 1, 2, 2]} : float32[1, 2, 2, 2]
%turned = transpose(%slice) {perm = [0, 1, 3, 2]} : float32[1, 2, 2, 2]
%back = strided_slice(%turned) {begin = [0, 1, 0, 0], end = [1, -1, 2, 2], step = [1, -1, 1, 1]} : float32[1, 2, 2, 2]
%rows = flatten(%back) : float32[1, 8]
%out = relu(%rows) : float32[1, 8]
return %out
)");
}

}  // namespace
}  // namespace vta::graph
