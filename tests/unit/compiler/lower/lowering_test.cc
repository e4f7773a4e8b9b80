// SPDX-License-Identifier: Apache-2.0
//
// Cases of lowering that random convolutions rarely or never generate.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/passes.h"
#include "configs/core_config.h"
#include "hw/isa/program_bytes.h"
#include "runtime/program/stream_checker.h"
#include "tests/support/error_in.h"
#include "tests/support/random_tensor.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using graph::Graph;
using graph::NodeId;

template <typename T>
Tensor random_tensor(std::vector<int64_t> shape, int64_t low, int64_t high, uint64_t seed = 1) {
  Random random(seed);
  return test::random_tensor<T>(random, std::move(shape), low, high);
}

OpAttrs requantizing(int64_t shift, bool relu) {
  OpAttrs attrs;
  attrs.shift = shift;
  attrs.relu = relu;
  attrs.lo = relu ? 0 : -127;
  attrs.hi = 127;
  return attrs;
}

// The graph with all operators on the core that the core computes.
struct TestGraph : Graph {
  NodeId conv(const std::string& name, NodeId src, int64_t oc, OpAttrs attrs) {
    const int64_t ic = node(src).type.shape[1];
    const NodeId w = add_constant(
        name + ".w", random_tensor<int8_t>({oc, ic, attrs.kernel[0], attrs.kernel[1]}, -20, 20));
    const NodeId b = add_constant(name + ".b", random_tensor<int32_t>({oc}, -3000, 3000));
    return on_core(add(OpKind::kQConv2d, name, {src, w, b}, attrs));
  }
  NodeId on_core(NodeId id) {
    node(id).on_core = true;
    return id;
  }
};

void expect_equal_to_reference(const Graph& graph, const CoreConfig& core,
                               const std::vector<Tensor>& inputs) {
  const auto expected = run_by_reference(graph, inputs);
  for (lower::Mode mode : {lower::Mode::kFused, lower::Mode::kCompatible}) {
    for (bool extension : {true, false}) {
      CoreConfig used = core;
      used.extension = extension;
      SCOPED_TRACE(fmt::format("{} {} {}", core.name, lower::to_string(mode), extension));
      const CoreRun run = run_on_core(graph, used, mode, inputs);
      for (size_t i = 0; i < expected.size(); ++i) {
        EXPECT_TRUE(std::ranges::equal(run.outputs[i].bytes(), expected[i].bytes()))
            << "output " << i;
      }
    }
  }
}

TEST(Lowering, FusesAnAddIntoTheLargerOfTwoConvolutions) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 16, 6, 6}, -127, 127);
  const NodeId data = graph.add_input("x", x.type());
  OpAttrs attrs = requantizing(6, true);
  attrs.kernel = {3, 3};
  attrs.pad = {1, 1, 1, 1};
  const NodeId a = graph.conv("a", data, 16, attrs);
  const NodeId b = graph.conv("b", data, 16, requantizing(7, false));
  attrs = requantizing(1, true);
  attrs.shift_a = 1;
  graph.set_outputs({graph.on_core(graph.add(OpKind::kQAdd, "add", {b, a}, attrs))});
  expect_equal_to_reference(graph, core_named("vta_1x16"), {x});
  const auto fused = lower::lower(graph, core_named("vta_1x16"), lower::Mode::kFused);
  ASSERT_EQ(fused.layers.size(), 2u);
  EXPECT_EQ(fused.layers[0].layer, "b");
  EXPECT_EQ(fused.layers[1].layer, "a");
  EXPECT_EQ(lower::lower(graph, core_named("vta_1x16"), lower::Mode::kCompatible).layers.size(),
            3u);
}

OpAttrs pool_of_3x3() {
  OpAttrs pool;
  pool.kernel = {3, 3};
  pool.stride = {2, 2};
  pool.pad = {1, 1, 1, 1};
  return pool;
}

// A residual operand that reaches ACC through GEMM, with and without a shift.
TEST(Lowering, MultipliesAResidualOperand) {
  for (int64_t shift : {0, 3, 6}) {
    SCOPED_TRACE(shift);
    TestGraph g;
    const NodeId x = g.add_input("x", {DType::kInt8, {1, 32, 14, 14}});
    const NodeId other = g.add_input("y", {DType::kInt8, {1, 256, 14, 14}});
    OpAttrs attrs = requantizing(6, false);
    const NodeId conv = g.conv("conv", x, 256, attrs);
    OpAttrs add = requantizing(shift, true);
    add.shift_b = shift;
    const NodeId sum = g.on_core(g.add(OpKind::kQAdd, "sum", {conv, other}, add));
    g.set_outputs({sum});
    const std::vector<Tensor> inputs = {random_tensor<int8_t>({1, 32, 14, 14}, -127, 127, 2),
                                        random_tensor<int8_t>({1, 256, 14, 14}, -127, 127, 3)};
    const CoreConfig core = core_named("vta_1x16");
    const CoreRun run = run_on_core(g, core, lower::Mode::kFused, inputs);
    EXPECT_NE(run.lowered.layers.at(0).tiles.find("residual in GEMM"), std::string::npos)
        << run.lowered.layers.at(0).tiles;
    expect_equal_to_reference(g, core, inputs);
  }
}

// While the classifier's input is pooled, its weights are loaded into all of its slots.
TEST(Lowering, LoadsWeightsWhileTheFirstInputIsNotStored) {
  TestGraph g;
  const NodeId x = g.add_input("x", {DType::kInt8, {1, 512, 7, 7}});
  const NodeId conv = g.conv("conv", x, 512, requantizing(6, true));
  const Attrs<OpKind::kQAvgPool2d> pool(attr::kernel{{7, 7}});
  const NodeId average = g.on_core(g.add(OpKind::kQAvgPool2d, "pool", {conv}, pool));
  const NodeId dense = g.conv("dense", average, 512, requantizing(6, false));
  g.set_outputs({dense});
  const Program program = lower::lower(g, core_named("vta_1x16"), lower::Mode::kFused,
                                       {.streams = lower::Streams::kMerged})
                              .program;
  const auto last = std::ranges::find_if(
      program.steps, [](const ProgramStep& step) { return step.layer == "dense"; });
  ASSERT_NE(last, program.steps.end());
  int weights = 0;
  for (const isa::InstructionBits& bits : isa::instructions_in(step_bytes(program, *last))) {
    const isa::Instruction i = isa::decode(bits, program.core);
    if (i.opcode != isa::kLoad || i.x_size == 0) continue;
    if (i.memory == isa::kInp) break;
    weights += i.memory == isa::kWgt ? 1 : 0;
  }
  EXPECT_GE(weights, 3);
}

// The parts of the last tile: runs of STOREs after the last GEMM of the program's only layer.
int last_parts(const Program& program) {
  const auto step = std::ranges::find(program.steps, ProgramStep::Kind::kCore, &ProgramStep::kind);
  int parts = 0;
  bool stores = false;
  for (const isa::InstructionBits& bits : isa::instructions_in(step_bytes(program, *step))) {
    const isa::Instruction i = isa::decode(bits, program.core);
    const bool is_store = i.opcode == isa::kStore && i.x_size > 0;
    if (i.opcode == isa::kGemm) parts = 0;
    if (is_store && !stores) ++parts;
    stores = is_store;
  }
  return parts;
}

// The store of a block overlaps with the passes of the next ones, which free scales make longer.
TEST(Lowering, StoresTheLastTileOfFreeScalesInParts) {
  const Tensor x = random_tensor<int8_t>({1, 32, 14, 14}, -128, 127);
  OpAttrs attrs = requantizing(16, false);
  const auto layer = [&](bool scaled) {
    TestGraph g;
    attrs.scaled = scaled;
    const NodeId data = g.add_input("x", x.type());
    const NodeId w = g.add_constant("w", random_tensor<int8_t>({64, 32, 1, 1}, -20, 20));
    const NodeId b = g.add_constant("b", random_tensor<int32_t>({64}, -30000, 30000));
    const NodeId factors = g.add_constant("factors", random_tensor<int32_t>({64}, 100, 2000));
    std::vector<NodeId> operands = {data, w, b};
    if (scaled) operands.push_back(factors);
    g.set_outputs({g.on_core(g.add(OpKind::kQConv2d, "conv", operands, attrs))});
    return g;
  };
  const CoreConfig core = core_named("vta_1x16");
  const CoreRun run = run_on_core(layer(true), core, lower::Mode::kFused, {x});
  const Tensor expected = run_by_reference(layer(true), {x})[0];
  EXPECT_TRUE(std::ranges::equal(run.outputs[0].bytes(), expected.bytes()));
  EXPECT_EQ(last_parts(run.lowered.program), 4) << run.lowered.layers.at(0).tiles;
  const auto power_of_two = lower::lower(layer(false), core, lower::Mode::kFused);
  EXPECT_EQ(last_parts(power_of_two.program), 1);
}

TEST(Lowering, ComputesAMaxPoolInTheStreamOfItsConvolution) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 32, 40, 35}, -127, 127);
  const NodeId data = graph.add_input("x", x.type());
  OpAttrs attrs = requantizing(6, true);
  attrs.kernel = {3, 3};
  attrs.pad = {1, 1, 1, 1};
  const NodeId conv = graph.conv("conv", data, 48, attrs);
  graph.set_outputs({graph.on_core(graph.add(OpKind::kMaxPool2d, "pool", {conv}, pool_of_3x3()))});
  for (const char* name : {"vta_1x16", "vta_4x8", "tiny_1x8"}) {
    expect_equal_to_reference(graph, core_named(name), {x});
  }
  const CoreConfig core = core_named("vta_1x16");
  const auto fused = lower::lower(graph, core, lower::Mode::kFused);
  ASSERT_EQ(fused.layers.size(), 1u);
  EXPECT_EQ(fused.layers[0].macs, 40u * 35 * 48 * 32 * 9) << "those of all outputs, each once";
  const Program& program = fused.program;
  const auto step = std::ranges::find(program.steps, ProgramStep::Kind::kCore, &ProgramStep::kind);
  EXPECT_EQ(step->pool, pool_of_3x3());
  EXPECT_EQ(parse_program(serialize(program), "copy").steps.at(1).pool, pool_of_3x3());
  CoreConfig plain = core;
  plain.extension = false;
  EXPECT_EQ(lower::lower(graph, plain, lower::Mode::kFused).layers.size(), 2u);
  EXPECT_EQ(lower::lower(graph, core, lower::Mode::kCompatible).layers.size(), 2u);
}

// The maximum is of sums of products, which padding must not exceed.
TEST(Lowering, PadsAFusedPoolBelowNegativeSums) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 16, 6, 6}, -127, -100);
  const NodeId data = graph.add_input("x", x.type());
  const NodeId w = graph.add_constant("w", random_tensor<int8_t>({16, 16, 1, 1}, 1, 20));
  const NodeId b = graph.add_constant("b", random_tensor<int32_t>({16}, 20000, 30000));
  const NodeId conv =
      graph.on_core(graph.add(OpKind::kQConv2d, "conv", {data, w, b}, requantizing(8, true)));
  graph.set_outputs({graph.on_core(graph.add(OpKind::kMaxPool2d, "pool", {conv}, pool_of_3x3()))});
  expect_equal_to_reference(graph, core_named("vta_1x16"), {x});
  EXPECT_EQ(lower::lower(graph, core_named("vta_1x16"), lower::Mode::kFused).layers.size(), 1u);
}

// Padding of int8 numbers is below all of them, in a pool of its own, too.
TEST(Lowering, PadsAPoolOfNegativeNumbers) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 32, 9, 7}, -127, -100);
  const NodeId data = graph.add_input("x", x.type());
  const NodeId copy =
      graph.on_core(graph.add(OpKind::kQAdd, "copy", {data, data}, requantizing(1, false)));
  OpAttrs pool = pool_of_3x3();
  pool.pad = {0, 1, 1, 1};
  graph.set_outputs({graph.on_core(graph.add(OpKind::kMaxPool2d, "pool", {copy}, pool))});
  for (const std::string& name : installed_core_names()) {
    expect_equal_to_reference(graph, core_named(name), {x});
  }
}

OpAttrs leaking(int64_t shift) {
  OpAttrs attrs = requantizing(shift, false);
  attrs.leak = 205;
  attrs.leak_shift = 11;
  return attrs;
}

TEST(Lowering, ComputesALeakyReluInTheEpilogueOfAConvolution) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 32, 12, 11}, -127, 127);
  const NodeId data = graph.add_input("x", x.type());
  OpAttrs attrs = leaking(8);
  attrs.kernel = {3, 3};
  attrs.pad = {1, 1, 1, 1};
  const NodeId conv = graph.conv("conv", data, 48, attrs);
  OpAttrs pool = pool_of_3x3();
  pool.pad = {0, 0, 1, 1};
  const NodeId pooled = graph.on_core(graph.add(OpKind::kMaxPool2d, "pool", {conv}, pool));
  const NodeId last = graph.conv("last", pooled, 16, leaking(9));
  graph.set_outputs({graph.on_core(graph.add(OpKind::kQAdd, "add", {last, last}, leaking(1)))});
  for (const std::string& name : installed_core_names()) {
    expect_equal_to_reference(graph, core_named(name), {x});
  }
  EXPECT_EQ(lower::lower(graph, core_named("vta_1x16"), lower::Mode::kFused).layers.size(), 3u);
}

// 255 times these sums exceeds 32 bits.
TEST(Lowering, LimitsTheNumbersOfALeakyReluBeforeTheirProduct) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 16, 3, 3}, -127, 127);
  const NodeId data = graph.add_input("x", x.type());
  const NodeId w = graph.add_constant("w", random_tensor<int8_t>({16, 16, 1, 1}, -127, 127));
  const NodeId b =
      graph.add_constant("b", Tensor({16}, std::vector<int32_t>(16, -(int32_t{1} << 24))));
  OpAttrs attrs = requantizing(0, false);
  attrs.leak = 255;
  attrs.leak_shift = 15;
  graph.set_outputs({graph.on_core(graph.add(OpKind::kQConv2d, "conv", {data, w, b}, attrs))});
  for (const std::string& name : installed_core_names())
    expect_equal_to_reference(graph, core_named(name), {x});
}

// The residual operand's place holds the copy of a leaky relu: an add of a leaky convolution is a
// layer of its own, a leaky add is not.
TEST(Lowering, FusesALeakyAddButNotAnAddOfALeakyConvolution) {
  for (const bool leaky_add : {false, true}) {
    TestGraph graph;
    const Tensor x = random_tensor<int8_t>({1, 16, 6, 6}, -127, 127);
    const NodeId data = graph.add_input("x", x.type());
    const NodeId conv =
        graph.conv("conv", data, 16, leaky_add ? requantizing(7, false) : leaking(7));
    graph.set_outputs({graph.on_core(graph.add(OpKind::kQAdd, "add", {conv, data},
                                               leaky_add ? leaking(1) : requantizing(1, false)))});
    expect_equal_to_reference(graph, core_named("vta_1x16"), {x});
    const auto fused = lower::lower(graph, core_named("vta_1x16"), lower::Mode::kFused);
    EXPECT_EQ(fused.layers.size(), leaky_add ? 1u : 2u);
  }
}

TEST(Lowering, RequantizesWithOneLoadAndOnePass) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 16, 10, 10}, -127, 127);
  const NodeId data = graph.add_input("x", x.type());
  graph.set_outputs(
      {graph.on_core(graph.add(OpKind::kQAdd, "add", {data, data}, requantizing(3, false)))});
  expect_equal_to_reference(graph, core_named("vta_1x16"), {x});
  const auto fused = lower::lower(graph, core_named("vta_1x16"), lower::Mode::kFused);
  EXPECT_EQ(fused.layers.at(0).counts.acc_load_nbytes, 16u * 10 * 10);
  EXPECT_EQ(fused.layers.at(0).counts.alu_counter, 10u * 10);
}

// The four bytes of int32 sums are stored one after another.
TEST(Lowering, StoresTheSumsOfAGlobalPool) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 48, 13, 13}, -127, -100);
  const NodeId data = graph.add_input("x", x.type());
  const NodeId conv = graph.conv("conv", data, 37, requantizing(9, false));
  const NodeId sum = graph.on_core(graph.add(OpKind::kGlobalSumPool2d, "sum", {conv}));
  graph.set_outputs({graph.on_core(graph.add(OpKind::kFlatten, "flat", {sum}))});
  for (const char* name : {"vta_1x16", "vta_4x8"}) {
    expect_equal_to_reference(graph, core_named(name), {x});
  }
}

// The result of 3 x 2 elements for each of the source is stored once per row.
TEST(Lowering, RepeatsElementsOfANearestResize) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 48, 13, 11}, -127, 127);
  const NodeId data = graph.add_input("x", x.type());
  const NodeId conv = graph.conv("conv", data, 32, requantizing(7, false));
  OpAttrs attrs;
  attrs.out = {39, 22};
  attrs.coordinates = Coordinates::kAsymmetric;
  attrs.rounding = Rounding::kFloor;
  graph.set_outputs({graph.on_core(graph.add(OpKind::kResize2d, "resize", {conv}, attrs))});
  for (const std::string& name : installed_core_names()) {
    expect_equal_to_reference(graph, core_named(name), {x});
  }
  const auto fused = lower::lower(graph, core_named("vta_1x16"), lower::Mode::kFused);
  EXPECT_EQ(fused.layers.at(1).counts.alu_counter, 2u * 2 * 2 * 13 * 11);
  EXPECT_EQ(fused.layers.at(1).counts.out_store_nbytes, 32u * 39 * 22);
}

TEST(Lowering, DoesNotFuseAConvolutionWithTwoUses) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 16, 5, 5}, -127, 127);
  const NodeId data = graph.add_input("x", x.type());
  const NodeId a = graph.conv("a", data, 16, requantizing(6, true));
  const NodeId add = graph.on_core(graph.add(OpKind::kQAdd, "add", {a, a}, requantizing(0, false)));
  const NodeId other =
      graph.on_core(graph.add(OpKind::kQAdd, "other", {add, a}, requantizing(20, true)));
  graph.set_outputs({add, other});
  expect_equal_to_reference(graph, core_named("vta_1x16"), {x});
  expect_equal_to_reference(graph, core_named("tiny_1x8"), {x});
}

TEST(Lowering, RunsHostOperatorsBetweenCoreLayersAndSharesMemory) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 16, 8, 8}, -127, 127);
  NodeId value = graph.add_input("x", x.type());
  for (int i = 0; i < 6; ++i) {
    value = graph.conv(fmt::format("conv{}", i), value, 16, requantizing(7, i % 2 == 0));
    if (i == 2) graph.node(value).on_core = false;  // the reference runs it on the host
  }
  graph.set_outputs({value});
  expect_equal_to_reference(graph, core_named("vta_1x16"), {x});
  const Program program = lower::lower(graph, core_named("vta_1x16"), lower::Mode::kFused).program;
  const uint64_t activations = program.arena_bytes - program.arena_image.size();
  EXPECT_LE(activations, 2 * packed_size_bytes(x.type(), program.core) + 256)
      << "two tensors are live at a time";
  size_t packs = 0, unpacks = 0;
  for (const ProgramStep& step : program.steps) {
    packs += step.kind == ProgramStep::Kind::kPack;
    unpacks += step.kind == ProgramStep::Kind::kUnpack;
  }
  EXPECT_EQ(packs, 2u);
  EXPECT_EQ(unpacks, 2u);
}

// Slices of channels are views, even if their last block contains further channels.
TEST(Lowering, ComputesOnSlicesOfChannelsInPlace) {
  for (const std::string& name : installed_core_names()) {
    TestGraph graph;
    const Tensor x = random_tensor<int8_t>({1, 20, 4, 3}, -127, 127);
    const NodeId whole =
        graph.conv("whole", graph.add_input("x", x.type()), 40, requantizing(7, false));
    OpAttrs slice;
    slice.begin = {0, 16, 0, 0};
    slice.end = {1, 35, 4, 3};
    slice.step = {1, 1, 1, 1};
    const NodeId part = graph.on_core(graph.add(OpKind::kStridedSlice, "part", {whole}, slice));
    const NodeId sum =
        graph.on_core(graph.add(OpKind::kQAdd, "sum", {part, part}, requantizing(1, true)));
    graph.set_outputs({graph.conv("conv", part, 24, requantizing(7, true)), whole, sum});
    expect_equal_to_reference(graph, core_named(name), {x});
    const Program program = lower::lower(graph, core_named(name), lower::Mode::kFused).program;
    check(program);
    EXPECT_EQ(1, std::ranges::count(program.steps, ProgramStep::Kind::kView, &ProgramStep::kind));
  }
}

TEST(Lowering, PadsBeyondTheFieldsOfALoad) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 8, 3, 4}, -127, 127);
  const NodeId data = graph.add_input("x", x.type());
  OpAttrs attrs = requantizing(6, false);
  attrs.kernel = {3, 2};
  attrs.pad = {17, 20, 18, 16};
  graph.set_outputs({graph.conv("conv", data, 8, attrs)});
  for (const std::string& name : installed_core_names())
    expect_equal_to_reference(graph, core_named(name), {x});
}

TEST(Lowering, SplitsKernelsThatDoNotFit) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 24, 13, 12}, -127, 127);
  const NodeId data = graph.add_input("x", x.type());
  OpAttrs attrs = requantizing(9, true);
  attrs.kernel = {11, 9};
  attrs.pad = {5, 4, 5, 4};
  attrs.stride = {2, 1};
  graph.set_outputs({graph.conv("conv", data, 9, attrs)});
  expect_equal_to_reference(graph, core_named("tiny_1x8"), {x});
}

// Taps that read padding are left out with split instructions: 40 of 42 rows and columns of taps
// are inside.
TEST(Lowering, CountsEachMultiplicationOnce) {
  TestGraph graph;
  const NodeId data = graph.add_input("x", {DType::kInt8, {1, 256, 14, 14}});
  OpAttrs attrs = requantizing(8, true);
  attrs.kernel = {3, 3};
  attrs.pad = {1, 1, 1, 1};
  graph.set_outputs({graph.conv("conv", data, 256, attrs)});
  for (lower::Mode mode : {lower::Mode::kFused, lower::Mode::kCompatible}) {
    const auto lowered = lower::lower(graph, core_named("vta_1x16"), mode);
    EXPECT_EQ(lowered.layers[0].counts.gemm_counter,
              mode == lower::Mode::kFused ? 40u * 40 * 16 * 16 : 42u * 42 * 16 * 16);
  }
}

struct GlobalPool : TestGraph {
  NodeId pool;

  GlobalPool(int64_t channels, int64_t size) {
    const NodeId data = add_input("x", {DType::kInt8, {1, 16, size, size}});
    const NodeId conv = this->conv("conv", data, channels, requantizing(6, false));
    OpAttrs attrs;
    attrs.kernel = {size, size};
    pool = add(OpKind::kQAvgPool2d, "pool", {conv}, attrs);
    set_outputs({pool});
  }
};

TEST(Lowering, SumsAllBlocksOfATileOfAGlobalPoolTogether) {
  GlobalPool graph(512, 7);
  const CoreConfig core = core_named("vta_1x16");
  lower::partition(graph, core);
  ASSERT_TRUE(graph.node(graph.pool).on_core);
  const auto lowered =
      lower::lower(graph, core, lower::Mode::kFused, {.streams = lower::Streams::kPerLayer});
  EXPECT_EQ(lowered.layers[1].tiles, "1 x 1 x 16");  // of 32 blocks
  // Sums of rows, clearing, sums of columns, multiplication, REQ.
  EXPECT_EQ(lowered.layers[1].counts.alu_counter, 32u * (7 * 6 + 1 + 7 + 1 + 1));
  const auto is_pool = [](const ProgramStep& step) { return step.layer == "pool"; };
  const auto step = std::ranges::find_if(lowered.program.steps, is_pool);
  EXPECT_LE(step->num_instructions, 30u);
}

TEST(Lowering, LeavesAWindowThatDoesNotFitHalfOfAccToTheHost) {
  const CoreConfig core = core_named("vta_1x16");
  for (int64_t size : {31, 32}) {  // 961 or 1024 elements and a result
    GlobalPool graph(16, size);
    lower::partition(graph, core);
    EXPECT_EQ(graph.node(graph.pool).on_core, size == 31) << size;
    expect_equal_to_reference(graph, core, {random_tensor<int8_t>({1, 16, size, size}, -127, 127)});
  }
}

// With all slots that fit, this layer has nine tokens in flight.
TEST(Lowering, LimitsTokensInFlightToTheQueue) {
  TestGraph graph;
  const NodeId data = graph.add_input("x", {DType::kInt8, {1, 144, 56, 56}});
  const NodeId other = graph.add_input("other", {DType::kInt8, {1, 24, 56, 56}});
  const NodeId conv = graph.conv("conv", data, 24, requantizing(8, false));
  graph.set_outputs(
      {graph.on_core(graph.add(OpKind::kQAdd, "add", {conv, other}, requantizing(1, true)))});
  CoreConfig core = core_named("vta_1x16");
  core.command_queue_depth = 1;
  for (uint32_t depth : {4u, 6u, 1023u}) {
    core.token_queue_depth = depth;
    for (const Way& way : kWays) {
      core.extension = way.extension;
      EXPECT_NO_THROW(check_streams(lower::lower(graph, core, way.mode).program))
          << depth << " tokens, " << way.name;
    }
  }
}

TEST(Lowering, ClipsBelowARelu) {
  TestGraph graph;
  const Tensor x = random_tensor<int8_t>({1, 16, 3, 3}, -127, 127);
  const NodeId data = graph.add_input("x", x.type());
  OpAttrs attrs = requantizing(6, true);
  attrs.lo = -100;
  attrs.hi = -5;
  const NodeId conv = graph.conv("conv", data, 16, attrs);
  attrs.shift = 0;
  const NodeId each = graph.conv("each", data, 16, attrs);
  const NodeId shifts =
      graph.insert_constant_before(each, "shifts", Tensor({16}, std::vector<int32_t>(16, 6)));
  graph.node(each).inputs.push_back(shifts);
  graph.set_outputs({conv, each});
  expect_equal_to_reference(graph, core_named("vta_1x16"), {x});
}

TEST(Lowering, IsDeterministic) {
  TestGraph graph;
  const NodeId data = graph.add_input("x", {DType::kInt8, {1, 40, 9, 9}});
  graph.set_outputs({graph.conv("conv", data, 24, requantizing(8, true))});
  const auto once = lower::lower(graph, core_named("vta_4x8"), lower::Mode::kFused);
  const auto twice = lower::lower(graph, core_named("vta_4x8"), lower::Mode::kFused);
  EXPECT_EQ(serialize(once.program), serialize(twice.program));
}

TEST(Lowering, RefusesShiftsBeyondTheCore) {
  TestGraph graph;
  const NodeId data = graph.add_input("x", {DType::kInt8, {1, 16, 2, 2}});
  const NodeId conv = graph.conv("conv", data, 16, requantizing(8, true));
  graph.set_outputs({conv});
  graph.node(conv).attrs.shift = 32;
  const Error error =
      expect_error([&] { lower::lower(graph, core_named("vta_1x16"), lower::Mode::kFused); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_NE(std::string(error.what()).find("conv: shift 32 exceeds 31 bits"), std::string::npos)
      << error.what();
}

// Every dependence flag of a stream is needed: without any one of them the stream is illegal.
TEST(Lowering, SetsNoRedundantDependenceFlag) {
  TestGraph graph;
  const NodeId data = graph.add_input("x", {DType::kInt8, {1, 24, 7, 7}});
  OpAttrs attrs = requantizing(8, true);
  attrs.kernel = {3, 3};
  attrs.pad = {1, 1, 1, 1};
  graph.set_outputs({graph.conv("conv", data, 24, attrs)});
  for (bool extension : {true, false}) {
    const Program program =
        lower::lower(graph, core_named("tiny_1x8", extension), lower::Mode::kFused).program;
    const auto core_step =
        std::ranges::find(program.steps, ProgramStep::Kind::kCore, &ProgramStep::kind);
    auto stream = isa::instructions_in(step_bytes(program, *core_step));
    const auto check = [&] {
      check_stream(stream, program.core, program.arena_image, program.arena_bytes);
    };
    ASSERT_NO_THROW(check());
    Random random(1);
    for (int i = 0; i < 60; ++i) {
      isa::InstructionBits& bits =
          stream[static_cast<size_t>(random.between(0, static_cast<int64_t>(stream.size()) - 1))];
      const uint64_t flags = bits.lo & 0x78;  // bits 3 to 6
      if (flags == 0) continue;
      const isa::InstructionBits original = bits;
      bits.lo &= ~(flags & (~flags + 1));  // the lowest flag
      EXPECT_THROW(check(), Error);
      bits = original;
    }
  }
}

}  // namespace
}  // namespace vta::test
