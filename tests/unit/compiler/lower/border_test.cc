// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/border.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/numbers/random.h"
#include "compiler/lower/conv_terms.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/tile_timeline.h"
#include "configs/core_config.h"
#include "hw/isa/program_bytes.h"
#include "tests/support/test_count.h"
#include "tests/unit/compiler/lower/core_run.h"
#include "tests/unit/compiler/lower/depthwise_shape.h"

namespace vta::test {
namespace {

using graph::Graph;
using graph::NodeId;
using lower::AxisTile;
using lower::Border;

std::vector<AxisTile> tiles_of(const lower::ConvAxis& axis, int64_t size) {
  std::vector<AxisTile> tiles;
  for (const lower::AxisSpan& span : lower::spans_of(axis, size)) tiles.push_back(span.outputs);
  return tiles;
}

TEST(Border, CountsTheRectanglesOfAllTiles) {
  for (const auto& [size, kernel, stride] :
       {std::tuple(14, 3, 1), std::tuple(14, 3, 2), std::tuple(9, 5, 1), std::tuple(2, 5, 1)}) {
    const lower::ConvShape shape = depthwise_shape(1, size, kernel, stride);
    for (const Border& border : {Border(shape, -128), Border(shape, -128, true)}) {
      for (int64_t tile : {1, 3, size}) {
        const auto rows = tiles_of(shape.rows, tile), columns = tiles_of(shape.columns, 4);
        Border::Counts expected;
        for (const AxisTile& y : rows) {
          for (const AxisTile& x : columns) {
            for (const Border::Rectangle& part : border.rectangles(y, x)) {
              ++expected.rectangles;
              expected.outputs += part.rows.size * part.columns.size;
            }
          }
        }
        const Border::Counts counts = border.counts(rows, columns);
        EXPECT_EQ(counts.rectangles, expected.rectangles) << size << " " << kernel << " " << tile;
        EXPECT_EQ(counts.outputs, expected.outputs) << size << " " << kernel << " " << tile;
      }
    }
  }
  const lower::ConvShape shape = depthwise_shape(1, 14, 3, 1);
  EXPECT_EQ(Border(shape, 0).counts(tiles_of(shape.rows, 7), tiles_of(shape.columns, 7)).outputs,
            0);
}

// The middle tap of a kernel of stride 1 reads no padding; with stride 2 the last ones do not,
// either.
TEST(Border, HasAProductOfGemmForEachTapThatReadsPadding) {
  const Border border(depthwise_shape(1, 7), -128, true);
  EXPECT_EQ(border.num_corrections(), 8);
  EXPECT_EQ(border.num_loaded(), 0);
  // 7 x 7 outputs have 9 taps; 19 x 19 of their products read the input.
  EXPECT_EQ(border.counts({{{0, 7}}}, {{{0, 7}}}).outputs, 9 * 49 - 19 * 19);
  EXPECT_EQ(Border(depthwise_shape(1, 14, 3, 2), -128, true).num_corrections(), 5);
  EXPECT_FALSE(Border(depthwise_shape(1, 7, 1), -128, true).in_gemm());
  EXPECT_EQ(Border(depthwise_shape(1, 7), -128).num_loaded(), 8);
}

lower::TilingProblem problem_of(const Border& border, const lower::ConvShape& shape) {
  lower::TilingProblem problem;
  problem.shape = shape;
  problem.split = true;
  problem.border = border;
  problem.channel_elems = 2 + border.num_corrections();
  return problem;
}

// Eight rectangles of 52 outputs in each of two blocks, beside a GEMM that has less to do.
TEST(TileTimeline, CountsTheCorrectionsOfTheBorder) {
  const CoreConfig core = load_core_config("vta_1x16");
  const lower::ConvShape shape = depthwise_shape(8, 14, 3, 1);
  lower::TilingProblem problem = problem_of({}, shape);
  problem.alu_cycles_per_vector = problem.alu_passes = 12;
  const lower::Tiling tiling{
      .th = 14, .tw = 14, .tco = 2, .tci = 2, .tkh = 3, .tkw = 3, .inp_slots = 2, .wgt_slots = 2};
  const double without = tile_timeline(problem, tiling, core, 1e9).cycles;
  problem.border = Border(shape, -128);
  const double cycles = tile_timeline(problem, tiling, core, 1e9).cycles - without;
  EXPECT_GE(cycles, 4 * 2 * 52);
  EXPECT_LE(cycles, 4 * (2 * 52 + 8 * 20));
}

// Eight products in each of two blocks of four tiles, beside an ALU that has less to do; the
// corrections of loads are 8 beats each.
TEST(TileTimeline, CountsTheProductsOfTheBorder) {
  const CoreConfig core = load_core_config("vta_1x16");
  const lower::ConvShape shape = depthwise_shape(8, 28, 3, 1);
  const lower::Tiling tiling{
      .th = 14, .tw = 28, .tco = 2, .tci = 2, .tkh = 3, .tkw = 3, .inp_slots = 2, .wgt_slots = 2};
  const auto timeline = [&](const Border& border) {
    return tile_timeline(problem_of(border, shape), tiling, core, 1e9);
  };
  const Border multiplied(shape, -128, true), loaded(shape, -128);
  const double more = timeline(multiplied).cycles - timeline({}).cycles;
  EXPECT_GE(more, 4 * 2 * 8);
  EXPECT_EQ(timeline(multiplied).dram_beats, timeline({}).dram_beats);
  EXPECT_GE(timeline(loaded).dram_beats - timeline({}).dram_beats, 4 * 2 * 8 * 8);
}

// Input -> a convolution of int8 with a zero point and free scales.
Graph convolution_of_zero(const TensorType& x, const OpAttrs& geometry, Tensor weights) {
  OpAttrs attrs = geometry;
  attrs.scaled = true;
  attrs.shift = 16;
  attrs.lo = -128;
  attrs.hi = 127;
  const int64_t channels = weights.dim(0);
  Graph graph;
  const std::vector<int32_t> ones(static_cast<size_t>(channels), 1);
  const NodeId conv = graph.add(
      OpKind::kQConv2d, "conv",
      {graph.add_input("x", x), graph.add_constant("w", std::move(weights)),
       graph.add_constant("b", Tensor({channels}, ones)),
       graph.add_constant(
           "n", Tensor({channels}, std::vector<int32_t>(static_cast<size_t>(channels), 90)))},
      attrs);
  graph.node(conv).on_core = true;
  graph.set_outputs({conv});
  return graph;
}

Graph depthwise_of_zero(int64_t channels, int64_t size) {
  OpAttrs attrs;
  attrs.groups = channels;
  attrs.kernel = {3, 3};
  attrs.pad = {1, 1, 1, 1};
  attrs.zero = -128;
  Tensor weights(TensorType{DType::kInt8, {channels, 1, 3, 3}});
  for (int8_t& w : weights.mutable_data<int8_t>()) w = 5;
  return convolution_of_zero(TensorType{DType::kInt8, {1, channels, size, size}}, attrs,
                             std::move(weights));
}

// The instructions of the only stream.
std::vector<isa::Instruction> instructions_of(const Graph& graph, const CoreConfig& core,
                                              const lower::LoweringOptions& options = {}) {
  const Program program = lower::lower(graph, core, lower::Mode::kFused, options).program;
  const auto step = std::ranges::find(program.steps, ProgramStep::Kind::kCore, &ProgramStep::kind);
  EXPECT_NE(step, program.steps.end());
  std::vector<isa::Instruction> instructions;
  for (const isa::InstructionBits& bits : isa::instructions_in(step_bytes(program, *step)))
    instructions.push_back(isa::decode(bits, core));
  return instructions;
}

bool adds_elements(const isa::Instruction& i) {
  return i.opcode == isa::kAlu && i.alu_opcode == isa::kAdd && i.use_imm == 0;
}

// The ALU then reads a correction once per block instead of once per output.
TEST(Border, IsCorrectedByOneMicroOpPerLine) {
  const CoreConfig core = load_core_config("vta_1x16");
  int64_t corrections = 0;
  for (const isa::Instruction& alu : instructions_of(depthwise_of_zero(48, 7), core)) {
    if (!adds_elements(alu)) continue;
    ++corrections;
    EXPECT_EQ(alu.uop_end - alu.uop_bgn, 1u);
  }
  EXPECT_GE(corrections, 8);
}

// Bias, factor and the weights of the ALU's tap are: GEMM computes the corrections from weights
// that it has.
TEST(Border, OfADepthwiseConvolutionIsNotLoaded) {
  const CoreConfig core = load_core_config("vta_1x16");
  int64_t elems = 0;
  for (const isa::Instruction& load : instructions_of(depthwise_of_zero(48, 7), core)) {
    if (load.opcode == isa::kLoad && load.memory == isa::kAcc) elems += load.y_size * load.x_size;
  }
  EXPECT_LE(elems, 3 * 3);
}

// GEMM would wait for its products otherwise: the border needs all of GEMM's of the first tile.
TEST(Border, OfTheFirstTileFollowsTheTapOfTheSecondOne) {
  const CoreConfig core = load_core_config("vta_1x16");
  const Graph graph = depthwise_of_zero(64, 14);
  const lower::TuningTask task =
      lower::lower(graph, core, lower::Mode::kFused).layers.at(0).task.value();
  lower::ScheduleBook book;
  book.set(task.text, {{.th = 14,
                        .tw = 14,
                        .tco = 2,
                        .tci = 2,
                        .tkh = 3,
                        .tkw = 3,
                        .tap_in_alu = true,
                        .inp_slots = 2,
                        .wgt_slots = 2},
                       "test"});
  const auto instructions = instructions_of(graph, core, {.schedules = &book});
  const auto tap = std::ranges::find_if(instructions, [](const isa::Instruction& i) {
    return i.opcode == isa::kLoad && i.memory == isa::kAcc8Bit;
  });
  ASSERT_NE(tap, instructions.end());
  EXPECT_LT(tap, std::ranges::find_if(instructions, adds_elements));
}

class BorderOnCore : public testing::TestWithParam<std::string> {};

// Whatever the tile, the cut of taps and the number of slots.
TEST_P(BorderOnCore, IsBitIdenticalToTheReference) {
  const CoreConfig core = core_named(GetParam());
  const int count = static_cast<int>(support::test_count(40));
  int num_in_gemm = 0;
  for (int seed = 1; seed <= count; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    OpAttrs attrs;
    const int64_t channels = random.between(2, 3 * static_cast<int64_t>(core.block_in));
    attrs.groups = channels;
    const bool is_small = core.acc_depth() < 100;  // for few corrections
    const int64_t kernel = is_small ? 3 : 4, most_pad = is_small ? 1 : 2;
    attrs.kernel = {random.between(1, kernel), random.between(2, kernel)};
    attrs.stride = {random.between(1, 2), random.between(1, 2)};
    for (int64_t& pad : attrs.pad) pad = random.between(0, most_pad);
    attrs.zero = random.chance(50) ? -128 : random.between(-127, 127);
    const auto fill = [&](Tensor& tensor) {
      for (int8_t& value : tensor.mutable_data<int8_t>())
        value = static_cast<int8_t>(random.between(-128, 127));
    };
    Tensor x(TensorType{
        DType::kInt8,
        {random.between(1, core.batch), channels, random.between(4, 9), random.between(4, 9)}});
    Tensor weights(TensorType{DType::kInt8, {channels, 1, attrs.kernel[0], attrs.kernel[1]}});
    fill(x);
    fill(weights);
    const Graph graph = convolution_of_zero(x.type(), attrs, std::move(weights));
    SCOPED_TRACE(fmt::format("{}, seed {}:\n{}", core.name, seed, graph::to_text(graph)));
    const lower::TuningTask task =
        lower::lower(graph, core, lower::Mode::kFused).layers.at(0).task.value();
    num_in_gemm += task.problem.border.in_gemm() ? 1 : 0;
    const lower::Tiling tiling =
        draw_tiling(random, legal_tilings(task.problem, core), task.problem, core);
    const CoreRun run = run_with_tiling(graph, core, task.text, tiling, {x});
    ASSERT_TRUE(
        std::ranges::equal(run.outputs.at(0).bytes(), run_by_reference(graph, {x}).at(0).bytes()))
        << run.lowered.layers.at(0).tiles;
  }
  const bool multiplies = core.alu_folding == 1 && core.extension;
  EXPECT_EQ(num_in_gemm > 0, multiplies);
}

INSTANTIATE_TEST_SUITE_P(Cores, BorderOnCore, testing::ValuesIn(installed_core_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace vta::test
