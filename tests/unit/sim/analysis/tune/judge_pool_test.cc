// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/judge_pool.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "base/numbers/random.h"
#include "compiler/lower/lower.h"
#include "sim/cycle/cycle_device.h"
#include "tests/unit/sim/analysis/tune/small_network.h"

namespace vta::sim {
namespace {

class JudgePoolTest : public testing::Test {
 protected:
  JudgePoolTest() : random(1), graph(test::small_network(random)) {}

  std::unique_ptr<driver::Device> open() { return open_cycle_device("timing", core); }
  // One that measures nothing: its tile is higher than the layer.
  lower::ScheduleBook book_that_does_not_fit(JudgePool& pool) {
    lower::ScheduleBook book;
    const lower::TuningTask task = pool.lower({}).layers.at(0).task.value();
    lower::Tiling tiling = task.tiling;
    tiling.th = 1000;
    book.set(task.text, {tiling, "test"});
    return book;
  }

  Random random;
  const graph::Graph graph;
  const CoreConfig core = load_core_config("vta_1x16");
};

TEST_F(JudgePoolTest, MeasuresWhatAJudgeMeasures) {
  const auto device = open();
  lower::TilingCache tilings;
  Judge judge(graph, core, *device, tilings);
  JudgePool pool(graph, core, 3, [&] { return open(); });
  EXPECT_EQ(pool.num_workers(), 3u);
  std::vector<JudgePool::Measurement> windows;
  for (size_t layer = 0; layer < 4; ++layer)
    windows.push_back(pool.measure({}, {layer, layer + 1}));
  EXPECT_EQ(pool.measure({}, {}, JudgePool::Place::kFirst).cycles(),
            judge.cycles(lower::ScheduleBook()));
  for (size_t layer = 0; layer < 4; ++layer)
    EXPECT_EQ(windows[layer].cycles(), judge.cycles({}, {layer, layer + 1})) << layer;
}

TEST_F(JudgePoolTest, HandsAnErrorToTheRequest) {
  JudgePool pool(graph, core, 1, [&] { return open(); });
  JudgePool::Measurement wrong = pool.measure(book_that_does_not_fit(pool));
  JudgePool::Measurement right = pool.measure({});
  EXPECT_THROW(wrong.cycles(), Error);
  EXPECT_GT(right.cycles(), 0u);
}

TEST_F(JudgePoolTest, EndsWhileRequestsWait) {
  std::optional<JudgePool> pool(std::in_place, graph, core, 2, [&] { return open(); });
  std::vector<JudgePool::Measurement> waiting;
  for (int i = 0; i < 1000; ++i) waiting.push_back(pool->measure({}));
  waiting.erase(waiting.begin() + 1, waiting.end());
  EXPECT_EQ(waiting[0].cycles(), pool->measure({}).cycles());
  for (int i = 0; i < 1000; ++i) waiting.push_back(pool->measure({}));
  pool.reset();
}

}  // namespace
}  // namespace vta::sim
