// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/schedule_book.h"

#include <gtest/gtest.h>

#include "compiler/lower/lower.h"
#include "compiler/lower/tiling_search.h"
#include "compiler/lower/tiling_sizes.h"
#include "tests/support/error_in.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::lower {
namespace {

// Two convolutions of one shape, then a third; only the neighbours of the first two differ.
graph::Graph three_convolutions() {
  graph::Graph graph = graph::from_text(R"(graph g
%x = input() : int8[1, 32, 8, 8]
%w = constant() : int8[32, 32, 1, 1]
%b = constant() : int32[32]
%one = qconv2d(%x, %w, %b) {kernel = [1, 1], shift = 4, lo = -127, hi = 127} : int8[1, 32, 8, 8]
%two = qconv2d(%one, %w, %b) {kernel = [1, 1], shift = 4, lo = -127, hi = 127} : int8[1, 32, 8, 8]
%three = qconv2d(%two, %w, %b) {kernel = [1, 1], shift = 4, lo = -127, hi = 127} : int8[1, 32, 8, 8]
return %three
)");
  for (graph::NodeId id : graph.order())
    graph.node(id).on_core = graph.node(id).kind == OpKind::kQConv2d;
  return graph;
}

class ScheduleBookTest : public testing::Test {
 protected:
  ScheduleBookTest() : graph(three_convolutions()), core(load_core_config("vta_1x16")) {}

  LoweredGraph lowered() { return lower(graph, core, Mode::kFused, {.schedules = &book}); }
  TuningTask task(size_t layer) { return lowered().layers.at(layer).task.value(); }

  graph::Graph graph;
  CoreConfig core;
  ScheduleBook book;
};

TEST_F(ScheduleBookTest, LowersATaskWithItsEntryAndOthersByTheSearch) {
  const Tiling searched = task(1).tiling;
  Tiling other = searched;
  other.th = other.th == 4 ? 2 : 4;
  book.set(task(1).text, {other, "log:1"});
  EXPECT_TRUE(task(1).tiling.same_choices(other));
  EXPECT_TRUE(task(2).tiling.same_choices(lower(graph, core, Mode::kFused).layers[2].task->tiling));
  EXPECT_EQ(lowered().layers[1].tiling->num_legal, 0);
  EXPECT_GT(lowered().layers[1].tiling->cost.total_cycles, 0);
}

TEST_F(ScheduleBookTest, TellsLayersOfOneShapeApartByTheirNeighbours) {
  EXPECT_NE(task(0).text, task(1).text);
  EXPECT_NE(task(1).text, task(2).text);
  EXPECT_EQ(task(1).text, task(1).text);
}

TEST_F(ScheduleBookTest, RefusesAnEntryThatDoesNotFitItsLayer) {
  const TuningTask two = task(1);
  const Tiling good = two.tiling;
  const auto message = [&](const Tiling& tiling) -> std::string {
    book.set(two.text, {tiling, "log:7"});
    return error_in([&] { lowered(); }, ErrorCode::kInvalidArgument);
  };
  Tiling bad = good;
  bad.th = 5;
  EXPECT_NE(message(bad).find("two: log:7: tiling 5 x"), std::string::npos) << message(bad);
  EXPECT_NE(message(bad).find("5 rows are not a piece of 8"), std::string::npos) << message(bad);
  bad = good;
  bad.wgt_slots = 1000;
  EXPECT_NE(message(bad).find("1000 slots of WGT, 1 to "), std::string::npos) << message(bad);
  bad = good;
  bad.residual_in_gemm = true;
  EXPECT_NE(message(bad).find("cannot be multiplied"), std::string::npos) << message(bad);
}

TEST_F(ScheduleBookTest, FindsWhatDoesNotFitTheCore) {
  TilingProblem large;
  large.shape.rows.in = large.shape.rows.out = 64;
  large.shape.columns.in = large.shape.columns.out = 64;
  large.split = true;
  Tiling whole;
  whole.th = whole.tw = 64;
  EXPECT_EQ(why_illegal(large, whole, core).value(), "4097 elements of half of ACC exceed 1024");
  whole.th = 8;
  EXPECT_EQ(why_illegal(large, whole, core), std::nullopt);
}

// The space is what the search compares: each of its tilings is legal, and the chosen one is in it.
TEST_F(ScheduleBookTest, HasASpaceOfLegalTilingsWithThatOfTheSearch) {
  const TuningTask task = this->task(1);
  bool has_chosen = false;
  for (const Tiling& tile : legal_tilings(task.problem, core)) {
    for (const Tiling& tiling : with_all_slots(task.problem, tile, core)) {
      EXPECT_EQ(why_illegal(task.problem, tiling, core), std::nullopt);
      has_chosen |= tiling.same_choices(task.tiling);
    }
  }
  EXPECT_TRUE(has_chosen) << to_string(task.tiling, task.problem.shape);
  EXPECT_EQ(estimate(task.problem, task.tiling, core).total_cycles, task.tiling.cost.total_cycles);
}

// Layers in their place: instructions of the window only, and the layers' numbers stay.
TEST_F(ScheduleBookTest, LowersTheLayersOfAWindowOnly) {
  const LoweredGraph window = lower(graph, core, Mode::kFused, {.window = {1, 3}});
  ASSERT_EQ(window.layers.size(), 3u);
  EXPECT_FALSE(window.layers[0].task.has_value());
  EXPECT_EQ(window.layers[0].counts.gemm_counter, 0u);
  EXPECT_EQ(window.layers[1].task->text, task(1).text);
  EXPECT_EQ(window.layers[1].counts.gemm_counter, lowered().layers[1].counts.gemm_counter);
}

}  // namespace
}  // namespace vta::lower
