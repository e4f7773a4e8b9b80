// SPDX-License-Identifier: Apache-2.0
//
// Memory plan, epilogue passes, clipping and tiles.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "base/numbers/random.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/conv_terms.h"
#include "compiler/lower/epilogue.h"
#include "compiler/lower/memory_plan.h"
#include "compiler/lower/tap_ranges.h"
#include "compiler/lower/tile_timeline.h"
#include "compiler/lower/tiling_search.h"
#include "compiler/lower/tiling_sizes.h"
#include "configs/core_config.h"
#include "hw/isa/layout.h"

namespace vta::lower {
namespace {

TEST(MemoryPlan, SeparatesTensorsOfOverlappingLifetimes) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<Lifetime> lifetimes(static_cast<size_t>(random.between(1, 40)));
    for (Lifetime& l : lifetimes) {
      l.size_bytes = static_cast<uint64_t>(random.between(1, 500));
      l.first = static_cast<size_t>(random.between(0, 20));
      l.last = l.first + static_cast<size_t>(random.between(0, 5));
    }
    const MemoryPlan plan = plan_memory(lifetimes, 64);
    for (size_t i = 0; i < lifetimes.size(); ++i) {
      const uint64_t begin = plan.offsets_bytes[i], end = begin + lifetimes[i].size_bytes;
      EXPECT_EQ(begin % 64, 0u);
      EXPECT_LE(end, plan.size_bytes);
      for (size_t j = 0; j < i; ++j) {
        const bool apart_in_time =
            lifetimes[j].last < lifetimes[i].first || lifetimes[i].last < lifetimes[j].first;
        const uint64_t other = plan.offsets_bytes[j], other_end = other + lifetimes[j].size_bytes;
        EXPECT_TRUE(apart_in_time || end <= other || other_end <= begin) << i << " and " << j;
      }
    }
  }
}

TEST(MemoryPlan, ReusesMemory) {
  const MemoryPlan plan = plan_memory({{100, 0, 1}, {100, 1, 2}, {100, 2, 3}, {100, 3, 4}}, 4);
  EXPECT_EQ(plan.size_bytes, 200u);
}

TEST(ClipRange, DividesPositionsFromPadding) {
  const auto expect = [](ClippedRange r, int64_t before, int64_t size, int64_t after,
                         int64_t begin) {
    EXPECT_EQ(r.before, before);
    EXPECT_EQ(r.size, size);
    EXPECT_EQ(r.after, after);
    if (size > 0) EXPECT_EQ(r.begin, begin);
  };
  expect(clip_range(-1, 1, 5, 10), 1, 4, 0, 0);
  expect(clip_range(7, 1, 5, 10), 0, 3, 2, 7);
  expect(clip_range(-3, 2, 4, 3), 2, 1, 1, 1);
  expect(clip_range(-9, 1, 4, 3), 4, 0, 0, 0);
  expect(clip_range(5, 1, 4, 3), 0, 0, 4, 0);
}

std::vector<uint32_t> opcodes(const std::vector<AluPass>& passes) {
  std::vector<uint32_t> result;
  for (const AluPass& pass : passes) result.push_back(pass.opcode);
  return result;
}

TEST(Epilogue, IsOneReqWithTheExtension) {
  const auto passes = convolution_passes(AluStyle::kReq, {8, true, 0, 127});
  ASSERT_EQ(passes.size(), 1u);
  EXPECT_EQ(passes[0].opcode, isa::kReq);
  EXPECT_EQ(passes[0].imm, 8 | 1 << 5 | 2 << 6 | 127 << 8);
}

TEST(Epilogue, UsesPlainPassesIfReqCannotEncodeThem) {
  EXPECT_EQ(opcodes(convolution_passes(AluStyle::kReq, {-2, false, -127, 127})),
            (std::vector<uint32_t>{isa::kAdd, isa::kShr, isa::kMin, isa::kMax}));
  EXPECT_EQ(opcodes(convolution_passes(AluStyle::kReq, {2, false, -5, 127})).size(), 5u);
}

TEST(Epilogue, HasOnePassPerOperationInCompatibleMode) {
  EXPECT_EQ(opcodes(convolution_passes(AluStyle::kUnfused, {8, true, 0, 127})),
            (std::vector<uint32_t>{isa::kAdd, isa::kMax, isa::kAdd, isa::kShr, isa::kMin}));
  EXPECT_EQ(opcodes(convolution_passes(AluStyle::kUnfused, {8, false, -127, 127})),
            (std::vector<uint32_t>{isa::kAdd, isa::kAdd, isa::kShr, isa::kMin, isa::kMax}));
  EXPECT_EQ(opcodes(addition_passes(AluStyle::kUnfused, {0, true, 0, 127}, 0, 0)),
            (std::vector<uint32_t>{isa::kAdd, isa::kMax, isa::kMin}));
}

TEST(Epilogue, ShiftsEachChannelByItsOwnOperand) {
  const Requantization relu{0, true, 0, 127, true}, odd{0, false, -5, 100, true};
  EXPECT_EQ(opcodes(convolution_passes(AluStyle::kReq, relu)),
            (std::vector<uint32_t>{isa::kAdd, isa::kShr, isa::kReq}));
  for (AluStyle style : {AluStyle::kReq, AluStyle::kRoundInBias, AluStyle::kUnfused}) {
    const auto passes = convolution_passes(style, odd);
    EXPECT_EQ(opcodes(passes), (std::vector<uint32_t>{isa::kAdd, isa::kShr, isa::kMin, isa::kMax}));
    EXPECT_EQ(passes[1].operands, Operands::kTileNumber);
  }
}

TEST(Epilogue, AddsTheRoundingConstantToTheBias) {
  EXPECT_EQ(opcodes(convolution_passes(AluStyle::kRoundInBias, {8, true, 0, 127})),
            (std::vector<uint32_t>{isa::kAdd, isa::kShr, isa::kMin, isa::kMax}));
  EXPECT_EQ(bias_rounding(AluStyle::kRoundInBias, {8, true, 0, 127}), 128);
  EXPECT_EQ(bias_rounding(AluStyle::kReq, {8, true, 0, 127}), 0);
}

ConvAxis random_axis(Random& random, bool transposed) {
  ConvAxis a;
  a.transposed = transposed;
  a.kernel = random.between(1, 7);
  a.stride = random.between(1, 3);
  a.dilation = random.chance(80) ? 1 : 2;
  const int64_t reach = (a.kernel - 1) * a.dilation + 1;
  a.pad = random.between(0, 3);
  a.in = reach + random.between(0, 60);
  a.out = (a.in + 2 * a.pad - reach) / a.stride + 1;
  if (transposed) a.out = std::max<int64_t>(1, (a.in - 1) * a.stride - 2 * a.pad + reach);
  return a;
}

// Every output has the taps of the definition.
// Of each tap, the outputs that read padding are left out, except by the tap that overwrites.
TEST(TapRanges, HaveTheOutputsThatReadTheInput) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const ConvAxis a = random_axis(random, i % 2 == 1);
    const auto taps = axis_taps(a);
    const int64_t begin = random.between(0, a.out - 1);
    const AxisTile tile{begin, random.between(1, a.out - begin)};
    const auto ranges =
        tap_ranges(a, taps, 0, static_cast<int64_t>(taps.size()), tile, /*clips=*/true);
    std::map<int64_t, int> overwriting;  // taps, by phase
    for (size_t t = 0; t < taps.size(); ++t) {
      const TapRange& range = ranges.at(t);
      overwriting[range.phase] += range.overwrites ? 1 : 0;
      const int64_t count = tile.count(a, taps[t].phase);
      if (range.overwrites || taps[t].k == kNoTap) {
        EXPECT_EQ(range.size, count);
        continue;
      }
      for (int64_t o = 0; o < count; ++o) {
        const int64_t input = first_input(a, taps[t], tile) + o * a.in_stride();
        const bool inside = input >= 0 && input < a.in;
        EXPECT_EQ(o >= range.begin && o < range.begin + range.size, inside);
      }
    }
    for (const auto& [phase, count] : overwriting) EXPECT_EQ(count, 1) << phase;
  }
}

TEST(AxisTaps, ReadTheInputsOfTheDefinition) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const ConvAxis a = random_axis(random, i % 2 == 1);
    const auto taps = axis_taps(a);
    for (int64_t o = 0; o < a.out; ++o) {
      std::vector<std::pair<int64_t, int64_t>> expected, found;  // kernel position, input
      for (int64_t k = 0; k < a.kernel; ++k) {
        const int64_t at =
            a.transposed ? o + a.pad - k * a.dilation : o * a.stride + k * a.dilation - a.pad;
        if (!a.transposed) expected.push_back({k, at});
        if (a.transposed && at % a.stride == 0) expected.push_back({k, at / a.stride});
      }
      for (const AxisTap& tap : taps) {
        if (tap.k == kNoTap || o % a.num_phases() != tap.phase) continue;
        found.push_back({tap.k, first_input(a, tap, {o, 1})});
      }
      ASSERT_EQ(found, expected) << "case " << i << ", output " << o;
    }
  }
}

TEST(ConvShape, KnowsTheInputBlocksOfGroups) {
  ConvShape s;
  s.block = 16;
  s.groups = 2;
  s.group_ic = s.group_oc = 24;  // blocks 0-15 | 16-31 | 32-47, groups 0-23 | 24-47
  s.ic_blocks = s.oc_blocks = 3;
  const auto expect = [&](int64_t block, int64_t begin, int64_t end) {
    EXPECT_EQ(s.input_blocks(block).begin, begin) << block;
    EXPECT_EQ(s.input_blocks(block).end, end) << block;
  };
  expect(0, 0, 2);
  expect(1, 0, 3);
  expect(2, 1, 3);
  s.groups = 48;
  s.group_ic = s.group_oc = 1;
  for (int64_t block = 0; block < 3; ++block) expect(block, block, block + 1);
}

TEST(ConvTerms, CoverEveryPairOfBlocksOnceWithEveryTap) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    ConvShape s;
    s.block = 8;
    s.groups = random.between(1, 12);
    s.group_ic = random.between(1, 20);
    s.group_oc = random.between(1, 20);
    s.ic_blocks = ceil_div(s.groups * s.group_ic, s.block);
    s.oc_blocks = ceil_div(s.groups * s.group_oc, s.block);
    s.rows = random_axis(random, random.chance(50));
    s.columns = random_axis(random, s.rows.transposed);
    const auto rows = static_cast<int64_t>(axis_taps(s.rows).size());
    Tiling t;
    t.tco = random.between(1, s.oc_blocks);
    t.tci = random.between(1, s.ic_blocks);
    t.tkh = random.chance(50) ? rows : 1;
    const BlockCut cut = cut_blocks(s, t.tco, t.tci);
    std::map<std::pair<int64_t, int64_t>, int64_t> taps;  // by pair
    for (int64_t oc = 0; oc < s.oc_blocks; oc += t.tco) {
      for (const ConvTerm& term : terms_of(s, t, oc, std::min(t.tco, s.oc_blocks - oc))) {
        EXPECT_LE(term.num_ic, cut.max_ic_blocks);
        EXPECT_LE(static_cast<int64_t>(term.pairs.size()), cut.max_pairs);
        for (const BlockPair& pair : term.pairs) {
          EXPECT_TRUE(pair.ic >= term.ic && pair.ic < term.ic + term.num_ic);
          taps[{pair.oc, pair.ic}] += term.num_rows * term.num_columns;
        }
      }
    }
    const auto all = rows * static_cast<int64_t>(axis_taps(s.columns).size());
    EXPECT_EQ(static_cast<int64_t>(taps.size()), cut.pairs);
    for (int64_t oc = 0; oc < s.oc_blocks; ++oc) {
      for (int64_t ic = 0; ic < s.ic_blocks; ++ic) {
        const BlockRange range = s.input_blocks(oc);
        const bool used = ic >= range.begin && ic < range.end;
        EXPECT_EQ(taps.contains({oc, ic}), used) << i;
        if (used) {
          EXPECT_EQ((taps[{oc, ic}]), all) << i;
        }
      }
    }
  }
}

// A dense layer is bound by its weights; each LOAD has an overhead.
TEST(Tiling, LoadsTheWeightsOfADenseLayerInLongRuns) {
  TilingProblem problem;
  problem.shape.ic_blocks = 32;
  problem.shape.oc_blocks = 63;
  problem.split = problem.overlaps = true;
  const Tiling t = find_tiling(problem, load_core_config("vta_1x16")).value().tiling;
  EXPECT_GE(t.tco * t.tci, 16);
}

// A 1x1 convolution as those of ResNet-50.
TilingProblem pointwise(int64_t ic_blocks, int64_t oc_blocks, int64_t size, int64_t stride) {
  TilingProblem problem;
  problem.shape.ic_blocks = ic_blocks;
  problem.shape.oc_blocks = oc_blocks;
  problem.shape.rows.in = problem.shape.columns.in = size;
  problem.shape.rows.stride = problem.shape.columns.stride = stride;
  problem.shape.rows.out = problem.shape.columns.out = size / stride;
  problem.split = problem.overlaps = true;
  problem.alu_cycles_per_vector = problem.alu_passes = 1;
  return problem;
}

// The search keeps a few tilings, and counts all.
TEST(Tiling, CountsTheTilingsThatItDrops) {
  const TilingProblem problem = pointwise(16, 64, 14, 1);
  const CoreConfig core = load_core_config("vta_1x16");
  const std::vector<Tiling> all = legal_tilings(problem, core);
  EXPECT_GT(all.size(), size_t{1000});
  EXPECT_TRUE(std::ranges::is_sorted(
      all, {}, [](const Tiling& tiling) { return tiling.cost.total_cycles; }));
  EXPECT_EQ(find_tiling(problem, core)->num_legal, std::ssize(all));
}

// Beside 4 products per output the ALU has no time to load the residual operand, beside 16 it has.
TEST(Tiling, MultipliesResidualOperandsBesideFewProducts) {
  const CoreConfig core = load_core_config("vta_1x16");
  for (const auto& [ic_blocks, multiplies] : {std::pair(4, true), std::pair(16, false)}) {
    TilingProblem problem = pointwise(ic_blocks, 16, 56, 1);
    problem.has_residual = problem.may_multiply_residual = true;
    problem.alu_cycles_per_vector = 3;
    problem.alu_passes = 2;
    const Tiling t = find_tiling(problem, core).value().tiling;
    EXPECT_EQ(t.residual_in_gemm, multiplies) << to_string(t, problem.shape);
    problem.may_multiply_residual = false;
    EXPECT_FALSE(find_tiling(problem, core).value().tiling.residual_in_gemm);
  }
}

// Weights that stay resident for all pixels of a tile of channels fill WGT: the next ones are
// loaded only when GEMM is done with them. Their total time does not tell.
TEST(TileTimeline, SeesLoadsThatCannotOverlap) {
  const CoreConfig core = load_core_config("vta_1x16");
  const TilingProblem problem = pointwise(64, 128, 14, 2);
  const double products = 64 * 128 * 49;
  Tiling resident{.th = 7, .tw = 3, .tco = 16, .tci = 8, .channels_outer = true, .inp_slots = 2};
  resident.wgt_slots = 8;
  EXPECT_GT(tile_timeline(problem, resident, core, 1e9).cycles, 1.25 * products);
  const Tiling found = find_tiling(problem, core).value().tiling;
  EXPECT_LT(tile_timeline(problem, found, core, 1e9).cycles, 1.1 * products);
}

TEST(TileTimeline, StopsAtTheLimit) {
  const CoreConfig core = load_core_config("vta_1x16");
  const TilingProblem problem = pointwise(4, 16, 56, 1);
  const Tiling t = find_tiling(problem, core).value().tiling;
  const TileTimeline whole = tile_timeline(problem, t, core, 1e9);
  EXPECT_GE(whole.cycles, 4 * 16 * 56 * 56);
  const TileTimeline part = tile_timeline(problem, t, core, 10'000);
  EXPECT_EQ(part.cycles, std::numeric_limits<double>::infinity());
  EXPECT_LT(part.terms, whole.terms / 2);
}

// The search for one shape takes up to seconds under sanitizers: 80 shapes a core, in tests of 16.
class TilingOf : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(TilingOf, AnyShapeIsLegalAndDoubleBuffered) {
  const auto& [name, seed] = GetParam();
  const CoreConfig core = load_core_config(name);
  Random random(static_cast<uint64_t>(seed));
  for (int i = 0; i < 16; ++i) {
    TilingProblem problem;
    ConvShape& s = problem.shape;
    s.ic_blocks = random.between(1, 40);
    s.oc_blocks = random.between(1, 40);
    if (random.chance(30)) {  // depthwise
      s.oc_blocks = s.ic_blocks;
      s.groups = s.ic_blocks * core.block_in;
      s.group_ic = s.group_oc = 1;
      s.block = core.block_in;
    }
    const bool transposed = random.chance(30);
    s.rows = random_axis(random, transposed);
    s.columns = random_axis(random, transposed);
    problem.has_residual = random.chance(50);
    problem.may_multiply_residual = problem.has_residual && random.chance(50);
    problem.channel_elems = random.chance(30) ? random.between(2, 12) : 1;
    problem.split = random.chance(50);
    const Tiling t = find_tiling(problem, core).value().tiling;
    SCOPED_TRACE(fmt::format("seed {}, {}: {}", seed, i, to_string(t, s)));
    const int64_t tile = t.th * t.tw * t.tco;
    EXPECT_LE(tile * (problem.has_residual ? 2 : 1) + t.tco * problem.channel_elems,
              core.acc_depth() / 2);
    EXPECT_TRUE(problem.may_multiply_residual || !t.residual_in_gemm);
    EXPECT_LE(t.inp_slots * inp_slot_elems(s, t) + (t.residual_in_gemm ? 2 * tile : 0),
              core.inp_depth());
    EXPECT_LE(t.wgt_slots * wgt_slot_elems(s, t) + (t.residual_in_gemm ? 1 : 0), core.wgt_depth());
    EXPECT_EQ(axis_taps(s.rows).size() % t.tkh, 0u);
    EXPECT_EQ(axis_taps(s.columns).size() % t.tkw, 0u);
    const auto terms = static_cast<int64_t>(terms_of(s, t, 0, std::min(t.tco, s.oc_blocks)).size());
    const int64_t pixel_tiles = ceil_div(s.rows.out, t.th) * ceil_div(s.columns.out, t.tw);
    EXPECT_GE(t.inp_slots, std::min<int64_t>(2, pixel_tiles * terms));
    EXPECT_GE(t.wgt_slots, std::min<int64_t>(2, ceil_div(s.oc_blocks, t.tco) * terms));
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, TilingOf,
                         testing::Combine(testing::ValuesIn(installed_core_names()),
                                          testing::Range(7, 12)),
                         [](const auto& test) {
                           return std::apply(
                               [](const std::string& name, int seed) {
                                 return fmt::format("{}_{}", name, seed);
                               },
                               test.param);
                         });

}  // namespace
}  // namespace vta::lower
