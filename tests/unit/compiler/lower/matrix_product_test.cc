// SPDX-License-Identifier: Apache-2.0
//
// Products of two matrices that the run computes: the core's results equal the integer reference.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "compiler/lower/passes.h"
#include "configs/core_config.h"
#include "hw/isa/instruction.h"
#include "hw/isa/program_bytes.h"
#include "runtime/program/macs.h"
#include "runtime/program/program.h"
#include "tests/support/random_tensor.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using graph::Graph;
using graph::NodeId;

struct Product {
  Graph graph;
  std::vector<Tensor> inputs;
};

Product product_of(Random& random, std::vector<int64_t> a, std::vector<int64_t> b,
                   const OpAttrs& attrs) {
  Product product;
  product.inputs = {random_int8(random, std::move(a)), random_int8(random, std::move(b))};
  const NodeId left = product.graph.add_input("a", product.inputs[0].type());
  const NodeId right = product.graph.add_input("b", product.inputs[1].type());
  product.graph.set_outputs({product.graph.add(OpKind::kQMatmul, "product", {left, right}, attrs)});
  return product;
}

OpAttrs shifting(int64_t shift) {
  OpAttrs attrs;
  attrs.shift = shift;
  attrs.lo = -127;
  attrs.hi = 127;
  return attrs;
}

OpAttrs scaling() {
  OpAttrs attrs;
  attrs.scaled = true;
  attrs.pre_shift = 2;
  attrs.factor_a = 321;
  attrs.addend = 77777;
  attrs.shift = 17;
  attrs.lo = -128;
  attrs.hi = 127;
  return attrs;
}

// The program of the last way.
Program expect_reference(Product product, const std::string& core) {
  const std::vector<Tensor> expected = run_by_reference(product.graph, product.inputs);
  Program program;
  for (const Way& way : kWays) {
    SCOPED_TRACE(fmt::format("{} {}", core, way.name));
    const CoreConfig used = core_named(core, way.extension);
    EXPECT_TRUE(lower::partition(product.graph, used).empty());
    CoreRun run = run_on_core(product.graph, used, way.mode, product.inputs);
    EXPECT_TRUE(std::ranges::equal(run.outputs.at(0).bytes(), expected.at(0).bytes()));
    program = std::move(run.lowered.program);
  }
  return program;
}

TEST(MatrixProduct, EqualsTheReferenceForOperandsOfAnyRank) {
  Random random(1);
  for (const std::string& core : installed_core_names()) {
    expect_reference(product_of(random, {7, 20}, {20, 9}, shifting(8)), core);
    expect_reference(product_of(random, {3, 7, 20}, {3, 20, 9}, shifting(8)), core);
    expect_reference(product_of(random, {1, 2, 17, 16}, {1, 2, 16, 17}, scaling()), core);
    expect_reference(product_of(random, {2, 1, 2, 5, 3}, {2, 1, 2, 3, 4}, shifting(0)), core);
  }
}

TEST(MatrixProduct, EqualsTheReferenceForShapesOfAttention) {
  Random random(2);
  for (const std::string& core : installed_core_names()) {
    expect_reference(product_of(random, {1, 3, 197, 64}, {1, 3, 64, 197}, shifting(9)), core);
    expect_reference(product_of(random, {1, 3, 197, 197}, {1, 3, 197, 64}, scaling()), core);
  }
}

TEST(MatrixProduct, EqualsTheReferenceForRandomShapes) {
  Random random(3);
  for (int i = 0; i < 40 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const int64_t num = random.between(1, 4), inner = random.between(1, 90);
    const OpAttrs attrs = random.chance(50) ? scaling() : shifting(random.between(-1, 12));
    const std::vector<std::string> cores = installed_core_names();
    const auto core = cores[static_cast<size_t>(random.between(0, std::ssize(cores) - 1))];
    expect_reference(product_of(random, {num, random.between(1, 70), inner},
                                {num, inner, random.between(1, 70)}, attrs),
                     core);
  }
}

TEST(MatrixProduct, EqualsTheReferenceForBroadcastOperands) {
  Random random(7);
  for (const std::string& core : installed_core_names()) {
    expect_reference(product_of(random, {3, 7, 20}, {20, 9}, shifting(8)), core);
    expect_reference(product_of(random, {7, 20}, {2, 3, 20, 9}, scaling()), core);
    expect_reference(product_of(random, {2, 1, 5, 33}, {1, 3, 33, 40}, shifting(8)), core);
    expect_reference(product_of(random, {2, 4, 1, 5, 18}, {2, 1, 3, 18, 17}, scaling()), core);
  }
}

TEST(MatrixProduct, LoadsABroadcastOperandOnce) {
  Random random(8);
  Product product = product_of(random, {12, 64, 64}, {64, 64}, shifting(9));
  lower::partition(product.graph, core_named("vta_1x16"));
  const auto lowered = lower::lower(product.graph, core_named("vta_1x16"), lower::Mode::kFused);
  EXPECT_EQ(lowered.layers.at(0).counts.wgt_load_nbytes, uint64_t{64 * 64});
  EXPECT_EQ(lowered.layers.at(0).counts.inp_load_nbytes, uint64_t{12 * 64 * 64});
}

// The rows are an image of one column. Only pixels of the inner loop are pairs.
TEST(MatrixProduct, HasItsRowsInTheInnerLoopOnACoreWithPixelPairs) {
  Random random(9);
  const CoreConfig core = core_named("vta_2p16");
  Product product = product_of(random, {64, 20}, {20, 9}, shifting(8));
  lower::partition(product.graph, core);
  const Program program = lower::lower(product.graph, core, lower::Mode::kFused).program;
  uint32_t most = 0;
  for (const StreamSteps steps : streams_of(program)) {
    for (const isa::InstructionBits& bits : isa::instructions_in(stream_bytes(program, steps))) {
      const isa::Instruction i = isa::decode(bits, core);
      if (i.opcode == isa::kGemm) most = std::max(most, i.iter_in);
    }
  }
  EXPECT_GT(most, 1u);
}

// Both operands are computed by the core itself, and so is what follows.
TEST(MatrixProduct, StandsBetweenOtherOperatorsOfTheCore) {
  Random random(4);
  Graph graph;
  const Tensor x = random_int8(random, {1, 16, 4, 6});
  const NodeId input = graph.add_input("x", x.type());
  OpAttrs twice = shifting(1);
  const NodeId a = graph.add(OpKind::kMaxPool2d, "pool", {input});
  const NodeId sum = graph.add(OpKind::kQAdd, "sum", {a, a}, twice);
  OpAttrs perm;
  perm.perm = {0, 1, 3, 2};
  const NodeId turned = graph.add(OpKind::kTranspose, "turned", {sum}, perm);
  const NodeId product = graph.add(OpKind::kQMatmul, "product", {sum, turned}, shifting(8));
  graph.set_outputs({graph.add(OpKind::kQAdd, "after", {product, product}, twice), sum});
  const auto expected = run_by_reference(graph, {x});
  for (NodeId id : {sum, product, graph.outputs()[0]}) graph.node(id).on_core = true;
  for (const Way& way : kWays) {
    SCOPED_TRACE(way.name);
    const CoreRun run = run_on_core(graph, core_named("vta_1x16", way.extension), way.mode, {x});
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(std::ranges::equal(run.outputs[i].bytes(), expected[i].bytes())) << i;
  }
}

// The core leaves rows, not an image, so an operator that alone would not pay stays on the host.
TEST(MatrixProduct, IsAHostOperandForOtherOperators) {
  Random random(5);
  Product product = product_of(random, {1, 2, 17, 16}, {1, 2, 16, 17}, shifting(8));
  const NodeId result = product.graph.outputs()[0];
  const NodeId sum = product.graph.add(OpKind::kQAdd, "sum", {result, result}, shifting(1));
  product.graph.set_outputs({sum});
  const auto reasons = lower::partition(product.graph, core_named("vta_1x16"));
  EXPECT_EQ(reasons.at(sum), HostReason::kHostOperand);
  EXPECT_TRUE(product.graph.node(result).on_core);
}

// Each image group has weights of its own, which the search must count.
TEST(MatrixProduct, LoadsTheSecondOperandOnce) {
  Random random(6);
  const Program program =
      expect_reference(product_of(random, {12, 64, 64}, {12, 64, 64}, shifting(9)), "vta_1x16");
  EXPECT_EQ(macs_of(program).on_core, uint64_t{64 * 64 * 64});  // of one of 12 images
  const auto lowered = lower::lower(
      [&] {
        Product product = product_of(random, {12, 64, 64}, {12, 64, 64}, shifting(9));
        lower::partition(product.graph, core_named("vta_1x16"));
        return std::move(product.graph);
      }(),
      core_named("vta_1x16"), lower::Mode::kFused);
  EXPECT_EQ(lowered.layers.at(0).counts.wgt_load_nbytes, uint64_t{12 * 64 * 64});
  EXPECT_EQ(lowered.layers.at(0).counts.inp_load_nbytes, uint64_t{12 * 64 * 64});
}

}  // namespace
}  // namespace vta::test
