// SPDX-License-Identifier: Apache-2.0
//
// Dense layers of several rows: 1x1 convolutions whose pixels are the rows. The core's results
// equal the integer reference.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "compiler/lower/passes.h"
#include "hw/isa/program_bytes.h"
#include "runtime/program/program.h"
#include "tests/support/random_leak.h"
#include "tests/support/random_tensor.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using graph::Graph;
using graph::NodeId;

// How the results of a dense layer are requantized.
enum class Scales { kShift, kShifts, kFactors, kLeak };

struct Rows {
  explicit Rows(uint64_t seed) : random(seed) {}

  NodeId input(std::vector<int64_t> shape) {
    x = random_tensor<int8_t>(random, std::move(shape), -128, 127);
    return graph.add_input("x", x.type());
  }

  NodeId dense(const std::string& name, NodeId rows, int64_t oc, Scales scales = Scales::kShift) {
    const int64_t ic = graph.node(rows).type.shape[1];
    OpAttrs attrs;
    attrs.shift = 9;
    attrs.relu = scales == Scales::kShifts;
    attrs.lo = attrs.relu ? 0 : -127;
    attrs.hi = 127;
    if (scales == Scales::kLeak) draw_leak(random, attrs);
    std::vector<NodeId> inputs = {
        rows, graph.add_constant(name + ".w", random_tensor<int8_t>(random, {oc, ic}, -50, 50)),
        graph.add_constant(name + ".b", random_tensor<int32_t>(random, {oc}, -3000, 3000))};
    if (scales == Scales::kShifts) {
      attrs.shift = 0;
      inputs.push_back(
          graph.add_constant(name + ".s", random_tensor<int32_t>(random, {oc}, 5, 11)));
    }
    if (scales == Scales::kFactors) {
      attrs.scaled = true;
      attrs.pre_shift = 2;
      attrs.shift = 17;
      inputs.push_back(
          graph.add_constant(name + ".f", random_tensor<int32_t>(random, {oc}, 100, 300)));
    }
    return graph.add(OpKind::kQDense, name, inputs, attrs);
  }

  NodeId sum(const std::string& name, NodeId a, NodeId b) {
    OpAttrs attrs;
    attrs.shift = 1;
    attrs.lo = -127;
    attrs.hi = 127;
    return graph.add(OpKind::kQAdd, name, {a, b}, attrs);
  }

  NodeId flat(const std::string& name, NodeId images) {
    return graph.add(OpKind::kFlatten, name, {images});
  }

  Random random;
  Graph graph;
  Tensor x;
};

// The program of the last way. Everything is on the core.
Program expect_reference(Rows& rows, const std::string& core) {
  const std::vector<Tensor> expected = run_by_reference(rows.graph, {rows.x});
  Program program;
  for (const Way& way : kWays) {
    SCOPED_TRACE(fmt::format("{} {} {}", core, way.name, to_string(rows.x.type())));
    const CoreConfig used = core_named(core, way.extension);
    EXPECT_TRUE(lower::partition(rows.graph, used).empty());
    CoreRun run = run_on_core(rows.graph, used, way.mode, {rows.x});
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(std::ranges::equal(run.outputs.at(i).bytes(), expected[i].bytes())) << i;
    program = std::move(run.lowered.program);
  }
  return program;
}

int64_t num_steps(const Program& program, ProgramStep::Kind kind) {
  return std::ranges::count(program.steps, kind, &ProgramStep::kind);
}

// One row, odd numbers of rows, and rows that fill neither a batch nor a tile.
TEST(DenseRows, EqualTheReferenceWithAllScales) {
  uint64_t seed = 1;
  for (const std::string& core : installed_core_names()) {
    for (const int64_t num_rows : {1, 2, 7, 64, 197}) {
      Rows rows(seed++);
      NodeId x = rows.input({num_rows, 37});
      x = rows.dense("shift", x, 50);
      x = rows.dense("shifts", x, 33, Scales::kShifts);
      x = rows.dense("factors", x, 16, Scales::kFactors);
      x = rows.dense("leak", x, 9, Scales::kLeak);
      rows.graph.set_outputs({x});
      expect_reference(rows, core);
    }
  }
}

TEST(DenseRows, DoNotFitTheCoreAtOnce) {
  Rows rows(2);
  rows.graph.set_outputs({rows.dense("dense", rows.input({5001, 40}), 300)});
  expect_reference(rows, "tiny_1x8");
}

// Between dense layers rows stay on the core in one layout, also for the sum of two of them, which
// is a part of the second one's stream.
TEST(DenseRows, StayOnTheCoreBetweenLayers) {
  for (const std::string& core : installed_core_names()) {
    Rows rows(3);
    const NodeId a = rows.dense("a", rows.input({23, 40}), 48);
    const NodeId c = rows.dense("c", rows.dense("b", a, 90), 48);
    rows.graph.set_outputs({rows.dense("d", rows.sum("sum", a, c), 20)});
    expect_reference(rows, core);
    const CoreConfig used = core_named(core);
    const Program program = lower::lower(rows.graph, used, lower::Mode::kFused).program;
    EXPECT_EQ(num_steps(program, ProgramStep::Kind::kPack), 1);
    EXPECT_EQ(num_steps(program, ProgramStep::Kind::kUnpack), 1);
    EXPECT_EQ(num_steps(program, ProgramStep::Kind::kCore), 4) << "the sum is fused";
  }
}

// A tile has many rows: weights are loaded once, and pairs of rows share them.
TEST(DenseRows, AreThePixelsOfATile) {
  Rows rows(4);
  rows.graph.set_outputs({rows.dense("dense", rows.input({64, 64}), 64)});
  const CoreConfig core = core_named("vta_2p16");
  lower::partition(rows.graph, core);
  const lower::LoweredGraph lowered = lower::lower(rows.graph, core, lower::Mode::kFused);
  EXPECT_EQ(lowered.layers.at(0).counts.wgt_load_nbytes, uint64_t{64 * 64});
  uint32_t most = 0;
  for (const StreamSteps steps : streams_of(lowered.program)) {
    for (const isa::InstructionBits& bits :
         isa::instructions_in(stream_bytes(lowered.program, steps))) {
      const isa::Instruction i = isa::decode(bits, core);
      if (i.opcode == isa::kGemm) most = std::max(most, i.iter_in);
    }
  }
  EXPECT_GE(most, 16U);
}

// Images of several groups become rows by a copy on the core; of one block or one group, in place.
TEST(DenseRows, MayBeFlattenedImages) {
  for (const std::string& core : installed_core_names()) {
    const CoreConfig used = core_named(core);
    for (const int64_t images : {used.batch, 3 * used.batch + 1}) {
      for (const int64_t channels : {used.block_in, 3 * used.block_in + 1}) {
        Rows rows(5);
        NodeId x = rows.input({images, channels, 1, 1});
        OpAttrs attrs;
        attrs.shift = 8;
        attrs.lo = -127;
        attrs.hi = 127;
        const NodeId w = rows.graph.add_constant(
            "w", random_tensor<int8_t>(rows.random, {channels, channels, 1, 1}, -50, 50));
        const NodeId b = rows.graph.add_constant(
            "b", random_tensor<int32_t>(rows.random, {channels}, -3000, 3000));
        x = rows.graph.add(OpKind::kQConv2d, "conv", {x, w, b}, attrs);
        const NodeId dense = rows.dense("dense", rows.flat("flat", x), channels);
        OpAttrs shape;
        shape.shape = {images, channels, 1, 1};
        const NodeId back = rows.graph.add(OpKind::kReshape, "back", {dense}, shape);
        rows.graph.set_outputs({rows.sum("sum", x, back)});
        const Program program = expect_reference(rows, core);
        const bool copies = images > used.batch && channels > used.block_in;
        EXPECT_EQ(num_steps(program, ProgramStep::Kind::kView), copies ? 0 : 2);
        EXPECT_EQ(num_steps(program, ProgramStep::Kind::kUnpack), 1);
      }
    }
  }
}

// Blocks of channels of all rows are together.
TEST(DenseRows, AreJoinedAndCutInPlace) {
  for (const std::string& core : installed_core_names()) {
    const int64_t block = core_named(core).block_in;
    Rows rows(6);
    const NodeId x = rows.input({21, 40});
    const NodeId a = rows.dense("a", x, 2 * block), b = rows.dense("b", x, 13);
    OpAttrs joining, cutting;
    joining.axis = 1;
    const NodeId both = rows.graph.add(OpKind::kConcat, "both", {a, b}, joining);
    cutting.begin = {0, block};
    cutting.end = {21, 2 * block + 13};
    cutting.step = {1, 1};
    const NodeId part = rows.graph.add(OpKind::kStridedSlice, "part", {both}, cutting);
    rows.graph.set_outputs({rows.dense("c", part, 10)});
    const Program program = expect_reference(rows, core);
    EXPECT_EQ(num_steps(program, ProgramStep::Kind::kView), 2);
  }
}

}  // namespace
}  // namespace vta::test
