// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/border.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "compiler/lower/conv_terms.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/tile_timeline.h"
#include "configs/core_config.h"
#include "hw/isa/program_bytes.h"
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
    const Border border(shape, -128);
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
  const lower::ConvShape shape = depthwise_shape(1, 14, 3, 1);
  EXPECT_EQ(Border(shape, 0).counts(tiles_of(shape.rows, 7), tiles_of(shape.columns, 7)).outputs,
            0);
}

// Eight rectangles of 52 outputs in each of two blocks, beside a GEMM that has less to do.
TEST(TileTimeline, CountsTheCorrectionsOfTheBorder) {
  const CoreConfig core = load_core_config("vta_1x16");
  lower::TilingProblem problem;
  problem.shape = depthwise_shape(8, 14, 3, 1);
  problem.split = true;
  problem.alu_cycles_per_vector = problem.alu_passes = 12;
  const lower::Tiling tiling{
      .th = 14, .tw = 14, .tco = 2, .tci = 2, .tkh = 3, .tkw = 3, .inp_slots = 2, .wgt_slots = 2};
  const double without = tile_timeline(problem, tiling, core, 1e9).cycles;
  problem.border = Border(problem.shape, -128);
  const double cycles = tile_timeline(problem, tiling, core, 1e9).cycles - without;
  EXPECT_GE(cycles, 4 * 2 * 52);
  EXPECT_LE(cycles, 4 * (2 * 52 + 8 * 20));
}

// The ALU then reads a correction once per block instead of once per output.
TEST(Border, IsCorrectedByOneMicroOpPerLine) {
  const CoreConfig core = load_core_config("vta_1x16");
  const int64_t channels = 48;
  OpAttrs attrs;
  attrs.groups = channels;
  attrs.kernel = {3, 3};
  attrs.pad = {1, 1, 1, 1};
  attrs.scaled = true;
  attrs.shift = 16;
  attrs.lo = -128;
  attrs.hi = 127;
  attrs.zero = -128;
  Graph graph;
  Tensor weights(TensorType{DType::kInt8, {channels, 1, 3, 3}});
  for (int8_t& w : weights.mutable_data<int8_t>()) w = 5;
  const std::vector<int32_t> ones(static_cast<size_t>(channels), 1);
  const NodeId conv =
      graph.add(OpKind::kQConv2d, "conv",
                {graph.add_input("x", TensorType{DType::kInt8, {1, channels, 7, 7}}),
                 graph.add_constant("w", std::move(weights)),
                 graph.add_constant("b", Tensor({channels}, ones)),
                 graph.add_constant("n", Tensor({channels}, ones))},
                attrs);
  graph.node(conv).on_core = true;
  graph.set_outputs({conv});
  const Program program = lower::lower(graph, core, lower::Mode::kFused).program;
  const auto step = std::ranges::find(program.steps, ProgramStep::Kind::kCore, &ProgramStep::kind);
  ASSERT_NE(step, program.steps.end());
  int64_t corrections = 0;
  for (const isa::InstructionBits& bits : isa::instructions_in(step_bytes(program, *step))) {
    const isa::Instruction alu = isa::decode(bits, core);
    if (alu.opcode != isa::kAlu || alu.alu_opcode != isa::kAdd || alu.use_imm != 0) continue;
    ++corrections;
    EXPECT_EQ(alu.uop_end - alu.uop_bgn, 1u);
  }
  EXPECT_GE(corrections, 8);
}

}  // namespace
}  // namespace vta::test
