// SPDX-License-Identifier: Apache-2.0
//
// Memory plan, epilogue passes, clipping and tiles.
#include <gtest/gtest.h>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/epilogue.h"
#include "compiler/lower/memory_plan.h"
#include "compiler/lower/tiling.h"
#include "hw/isa/layout.h"
#include "runtime/base/random.h"

namespace vta::lower {
namespace {

TEST(MemoryPlan, KeepsApartWhatLivesAtTheSameTime) {
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

TEST(MemoryPlan, UsesMemoryAgain) {
  const MemoryPlan plan = plan_memory({{100, 0, 1}, {100, 1, 2}, {100, 2, 3}, {100, 3, 4}}, 4);
  EXPECT_EQ(plan.size_bytes, 200u);
}

TEST(ClipRange, TellsPaddingFromWhatExists) {
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

TEST(Epilogue, DoesWithoutReqWhatReqCannotExpress) {
  EXPECT_EQ(opcodes(convolution_passes(AluStyle::kReq, {-2, false, -127, 127})),
            (std::vector<uint32_t>{isa::kAdd, isa::kShr, isa::kMin, isa::kMax}));
  EXPECT_EQ(opcodes(convolution_passes(AluStyle::kReq, {2, false, -5, 127})).size(), 5u);
}

TEST(Epilogue, IsTheDocumentsProgramInCompatibleMode) {
  EXPECT_EQ(opcodes(convolution_passes(AluStyle::kDocument, {8, true, 0, 127})),
            (std::vector<uint32_t>{isa::kAdd, isa::kMax, isa::kAdd, isa::kShr, isa::kMin}));
  EXPECT_EQ(opcodes(convolution_passes(AluStyle::kDocument, {8, false, -127, 127})),
            (std::vector<uint32_t>{isa::kAdd, isa::kAdd, isa::kShr, isa::kMin, isa::kMax}));
  EXPECT_EQ(opcodes(addition_passes(AluStyle::kDocument, {0, true, 0, 127}, 0, 0)),
            (std::vector<uint32_t>{isa::kAdd, isa::kMax, isa::kMin}));
}

TEST(Epilogue, PutsRoundingIntoTheBiasInShortStyle) {
  EXPECT_EQ(opcodes(convolution_passes(AluStyle::kShort, {8, true, 0, 127})),
            (std::vector<uint32_t>{isa::kAdd, isa::kShr, isa::kMin, isa::kMax}));
  EXPECT_EQ(bias_rounding(AluStyle::kShort, {8, true, 0, 127}), 128);
  EXPECT_EQ(bias_rounding(AluStyle::kReq, {8, true, 0, 127}), 0);
}

TEST(Tiling, IsLegalAndDoubleBufferedForEveryShape) {
  for (const char* name : {"vta_1x16", "vta_4x8", "tiny_1x8"}) {
    const CoreConfig core = load_core_config(name);
    Random random(7);
    for (int i = 0; i < 200; ++i) {
      TilingProblem problem;
      ConvShape& s = problem.shape;
      s.ic_blocks = random.between(1, 40);
      s.oc_blocks = random.between(1, 40);
      s.kh = random.between(1, 7);
      s.kw = random.between(1, 7);
      s.sh = random.between(1, 3);
      s.sw = random.between(1, 3);
      s.pad_top = s.pad_left = random.between(0, 3);
      s.ih = s.kh + random.between(0, 60);
      s.iw = s.kw + random.between(0, 60);
      s.oh = (s.ih + 2 * s.pad_top - s.kh) / s.sh + 1;
      s.ow = (s.iw + 2 * s.pad_left - s.kw) / s.sw + 1;
      problem.has_residual = random.chance(50);
      problem.split = random.chance(50);
      const Tiling t = find_tiling(problem, core, 8);
      SCOPED_TRACE(fmt::format("{} {}: {}", name, i, to_string(t, s)));
      const int64_t tile = t.th * t.tw * t.tco;
      EXPECT_LE(tile * (problem.has_residual ? 2 : 1) + t.tco, core.acc_depth() / 2);
      EXPECT_LE(t.inp_slots * inp_slot_elems(s, t), core.inp_depth());
      EXPECT_LE(t.wgt_slots * wgt_slot_elems(t), core.wgt_depth());
      EXPECT_EQ(s.kh % t.tkh, 0);
      EXPECT_EQ(s.kw % t.tkw, 0);
      const int64_t steps = num_steps(s, t);
      const int64_t pixel_tiles = ceil_div(s.oh, t.th) * ceil_div(s.ow, t.tw);
      EXPECT_GE(t.inp_slots, std::min<int64_t>(2, pixel_tiles * steps));
      EXPECT_GE(t.wgt_slots, std::min<int64_t>(2, ceil_div(s.oc_blocks, t.tco) * steps));
    }
  }
}

}  // namespace
}  // namespace vta::lower
