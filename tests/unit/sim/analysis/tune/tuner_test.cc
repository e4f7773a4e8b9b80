// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/tuner.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/errors/error.h"
#include "compiler/lower/tiling_search.h"
#include "compiler/lower/tiling_sizes.h"
#include "sim/analysis/tune/tiling_model.h"

namespace vta::sim {
namespace {

lower::TilingProblem pointwise(int64_t blocks, int64_t size) {
  lower::TilingProblem problem;
  problem.shape.ic_blocks = problem.shape.oc_blocks = blocks;
  problem.shape.rows.in = problem.shape.columns.in = size;
  problem.shape.rows.out = problem.shape.columns.out = size;
  problem.split = problem.overlaps = true;
  problem.alu_cycles_per_vector = problem.alu_passes = 1;
  return problem;
}

std::string text(const lower::Tiling& t, const lower::TilingProblem& problem) {
  return to_string(t, problem.shape) + " " + std::to_string(t.inp_slots) + " " +
         std::to_string(t.wgt_slots);
}

// A made-up cost with one best tiling.
uint64_t cycles_of(const lower::Tiling& t) {
  const auto far = [](int64_t a, int64_t b) { return static_cast<uint64_t>((a - b) * (a - b)); };
  return 1000 + far(t.th, 7) * 5 + far(t.tco, 4) * 20 + far(t.tci, 2) * 20 + far(t.inp_slots, 6) +
         far(t.wgt_slots, 8) + (t.channels_outer ? 0 : 50);
}

class TunerTest : public testing::TestWithParam<TunerKind> {
 protected:
  const CoreConfig core = load_core_config("vta_1x16");
};

TEST_P(TunerTest, ProposesOnlyNewLegalTilings) {
  const lower::TilingProblem problem = pointwise(4, 14);
  const lower::Tiling first = find_tiling(problem, core)->tiling;
  const auto tuner = make_tuner(GetParam(), problem, core, first, 1);
  std::set<std::string> seen = {text(first, problem)};
  for (int i = 0; i < 300; ++i) {
    const auto tiling = tuner->propose();
    ASSERT_TRUE(tiling.has_value()) << i;
    EXPECT_EQ(why_illegal(problem, *tiling, core), std::nullopt) << text(*tiling, problem);
    EXPECT_TRUE(seen.insert(text(*tiling, problem)).second) << text(*tiling, problem);
    tuner->tell(*tiling, cycles_of(*tiling));
  }
}

TEST_P(TunerTest, RepeatsItselfWithTheSameSeed) {
  const lower::TilingProblem problem = pointwise(8, 28);
  const lower::Tiling first = find_tiling(problem, core)->tiling;
  const auto one = make_tuner(GetParam(), problem, core, first, 5);
  const auto two = make_tuner(GetParam(), problem, core, first, 5);
  for (int i = 0; i < 50; ++i) {
    const auto a = one->propose(), b = two->propose();
    ASSERT_TRUE(a && b);
    ASSERT_TRUE(a->same_choices(*b));
    one->tell(*a, cycles_of(*a));
    two->tell(*b, cycles_of(*b));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TunerTest,
                         testing::Values(TunerKind::kExhaustive, TunerKind::kRandom,
                                         TunerKind::kGenetic, TunerKind::kLearned));

TEST(ExhaustiveTuner, ProposesTheWholeSpaceOnce) {
  const CoreConfig core = load_core_config("vta_1x16");
  const lower::TilingProblem problem = pointwise(2, 2);
  const lower::Tiling first = find_tiling(problem, core)->tiling;
  const auto tuner = make_tuner(TunerKind::kExhaustive, problem, core, first, 1);
  std::set<std::string> expected, proposed = {text(first, problem)};
  for (const lower::Tiling& tile : legal_tilings(problem, core)) {
    for (const lower::Tiling& tiling : with_all_slots(problem, tile, core))
      expected.insert(text(tiling, problem));
  }
  while (const auto tiling = tuner->propose()) proposed.insert(text(*tiling, problem));
  EXPECT_EQ(proposed, expected);
}

// Beside random proposals of the same number.
TEST(GeneticAndLearnedTuner, LearnFromMeasurements) {
  const CoreConfig core = load_core_config("vta_1x16");
  const lower::TilingProblem problem = pointwise(16, 14);
  const lower::Tiling first = find_tiling(problem, core)->tiling;
  const auto least = [&](TunerKind kind) {
    uint64_t sum = 0;
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      const auto tuner = make_tuner(kind, problem, core, first, seed);
      uint64_t best = UINT64_MAX;
      for (int i = 0; i < 200; ++i) {
        const auto tiling = tuner->propose();
        best = std::min(best, cycles_of(*tiling));
        tuner->tell(*tiling, cycles_of(*tiling));
      }
      sum += best;
    }
    return sum;
  };
  EXPECT_LT(least(TunerKind::kGenetic), least(TunerKind::kRandom));
  EXPECT_LT(least(TunerKind::kLearned), least(TunerKind::kRandom));
}

// The model has not seen these tilings.
TEST(TilingModel, TellsFastTilingsFromSlowOnes) {
  const CoreConfig core = load_core_config("vta_1x16");
  const lower::TilingProblem problem = pointwise(16, 14);
  const auto tuner =
      make_tuner(TunerKind::kRandom, problem, core, find_tiling(problem, core)->tiling, 3);
  TilingModel model(problem, core);
  for (int i = 0; i < 60; ++i) {
    const lower::Tiling tiling = tuner->propose().value();
    model.add(tiling, cycles_of(tiling));
  }
  int right = 0;
  constexpr int kPairs = 200;
  for (int i = 0; i < kPairs; ++i) {
    const lower::Tiling one = tuner->propose().value(), two = tuner->propose().value();
    if ((cycles_of(one) < cycles_of(two)) == (model.predict(one) < model.predict(two))) ++right;
  }
  EXPECT_GT(right, kPairs * 7 / 10);
}

TEST(TunerKind, IsRefusedByName) {
  EXPECT_EQ(tuner_from_string("random"), TunerKind::kRandom);
  EXPECT_THROW(tuner_from_string("guess"), Error);
}

}  // namespace
}  // namespace vta::sim
