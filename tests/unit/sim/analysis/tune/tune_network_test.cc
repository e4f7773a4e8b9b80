// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/tune_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "base/numbers/random.h"
#include "compiler/lower/lower.h"
#include "compiler/schedule_log.h"
#include "sim/analysis/tune/judge.h"
#include "sim/analysis/tune/tune_report.h"
#include "sim/cycle/cycle_device.h"
#include "tests/unit/compiler/lower/core_run.h"
#include "tests/unit/sim/analysis/tune/small_network.h"

namespace vta::sim {
namespace {

class TuneNetwork : public testing::Test {
 protected:
  TuneNetwork()
      : random(1), graph(test::small_network(random)), core(load_core_config("vta_1x16")) {}

  TuneRequest request(const std::string& log) {
    TuneRequest request{.graph = graph, .core = core, .memory = "ideal64", .network = "small"};
    request.trials = 20;
    request.log = log;
    request.open_device = [this] { return open_cycle_device("timing", core); };
    return request;
  }
  uint64_t cycles(const lower::ScheduleBook& book) {
    const auto device = open_cycle_device("timing", core);
    lower::TilingCache tilings;
    return Judge(graph, core, *device, tilings).cycles(book);
  }

  static uint64_t saved_by_passes(const TuneResult& result) {
    uint64_t saved = 0;
    for (const NetworkPassResult& pass : result.passes)
      saved += pass.cycles_before - pass.cycles_after;
    return saved;
  }

  // Measured in passes, now or by the log.
  static uint64_t tried_by_passes(const TuneResult& result, bool from_log) {
    uint64_t count = 0;
    for (const NetworkPassResult& pass : result.passes)
      count += pass.measured + (from_log ? pass.from_log : 0);
    return count;
  }

  static uint64_t saved_by_tasks(const TuneResult& result) {
    uint64_t saved = 0;
    for (const TunedTask& task : result.tasks) saved += task.saved_cycles;
    return saved;
  }

  Random random;
  const graph::Graph graph;
  const CoreConfig core;
  ScratchFolder folder;
};

TEST_F(TuneNetwork, MeasuresTasksAloneWithOneCandidate) {
  TuneRequest alone = request(folder / "log");
  alone.candidates = 1;
  const TuneResult result = tune_network(alone);
  EXPECT_TRUE(result.passes.empty());
  for (const TunedTask& task : result.tasks) {
    EXPECT_EQ(task.saved_cycles > 0, task.before != task.after);
  }
  EXPECT_EQ(saved_by_tasks(result), result.cycles_before - result.cycles_after);
}

// After the same search of the tasks.
TEST_F(TuneNetwork, FindsCombinationsThatAreFasterThanTheTilingsOfTheTasks) {
  TuneRequest one_stage = request(folder / "log"), alone = request(folder / "alone");
  one_stage.trials = alone.trials = 8;
  alone.candidates = 1;
  const TuneResult result = tune_network(one_stage);
  ASSERT_EQ(result.passes.size(), 1u);
  const NetworkPassResult& pass = result.passes[0];
  EXPECT_EQ(pass.cycles_before, tune_network(alone).cycles_after);
  EXPECT_LT(pass.cycles_after, pass.cycles_before);
  uint64_t saved = 0;
  for (const NetworkPassResult::Kept& kept : pass.kept) {
    EXPECT_GT(kept.saved_cycles, 0u);
    EXPECT_EQ(kept.layers.size(), kept.tilings.size());
    saved += kept.saved_cycles;
  }
  EXPECT_EQ(saved, pass.cycles_before - pass.cycles_after);
  EXPECT_EQ(cycles(load_schedules({folder / "log"}, core, "ideal64")), result.cycles_after);
}

// Stages of 8, 16, ... trials contain each other.
TEST_F(TuneNetwork, IsNeverWorseWithMoreTrials) {
  uint64_t least = UINT64_MAX;
  for (const uint64_t trials : {8, 16, 32, 64}) {
    for (const bool independent : {false, true}) {
      TuneRequest more = request(folder / fmt::format("{} {}", trials, independent));
      more.trials = trials;
      more.independent = independent;
      const TuneResult result = tune_network(more);
      EXPECT_EQ(result.cycles_of_log, result.cycles_after) << trials;
      if (independent) continue;
      EXPECT_LE(result.cycles_after, least) << trials;
      least = result.cycles_after;
    }
  }
}

// A log is used without the schedules that its search started from.
TEST_F(TuneNetwork, HasALogThatReplaysAlone) {
  const TuneResult first = tune_network(request(folder / "first"));
  for (const uint64_t trials : {1, 8}) {
    TuneRequest again = request(folder / fmt::format("again {}", trials));
    again.trials = trials;
    again.schedules = load_schedules({folder / "first"}, core, "ideal64");
    const TuneResult second = tune_network(again);
    EXPECT_EQ(second.cycles_before, first.cycles_after);
    EXPECT_LE(second.cycles_after, second.cycles_before);
    EXPECT_EQ(second.cycles_of_log, second.cycles_after);
    EXPECT_EQ(cycles(load_schedules({again.log.string()}, core, "ideal64")), second.cycles_after);
  }
}

TEST_F(TuneNetwork, KeepsWhatMakesTheNetworkFasterWithTheSameResults) {
  const TuneResult result = tune_network(request(folder / "log"));
  ASSERT_EQ(result.tasks.size(), 4u);
  EXPECT_EQ(result.cycles_before, cycles({}));
  EXPECT_LT(result.cycles_after, result.cycles_before);
  const lower::ScheduleBook book = load_schedules({folder / "log"}, core, "ideal64");
  EXPECT_GT(book.size(), 0u);
  EXPECT_EQ(result.cycles_after, cycles(book));
  EXPECT_EQ(saved_by_tasks(result) + saved_by_passes(result),
            result.cycles_before - result.cycles_after);
  EXPECT_EQ(result.cycles_of_log, result.cycles_after);
  const std::vector<Tensor> inputs = {test::random_bytes(random, {1, 32, 14, 14})};
  const auto plain = test::run_on_core(graph, core, lower::Mode::kFused, inputs);
  const auto tuned =
      test::run_on_core(graph, core, lower::Mode::kFused, inputs, {.schedules = &book});
  EXPECT_TRUE(std::ranges::equal(plain.outputs[0].bytes(), tuned.outputs[0].bytes()));
  EXPECT_TRUE(std::ranges::any_of(plain.outputs[0].bytes(), [](uint8_t b) { return b != 0; }));
}

TEST_F(TuneNetwork, DoesNotDependOnTheNumberOfWorkers) {
  const std::string alone = to_json(tune_network(request(folder / "one")));
  for (const size_t workers : {2, 3, 12}) {
    const std::string log = folder / fmt::format("{}", workers);
    TuneRequest together = request(log);
    together.workers = workers;
    EXPECT_EQ(to_json(tune_network(together)), alone) << workers;
    EXPECT_EQ(read_text_file(log), read_text_file(folder / "one")) << workers;
  }
}

// Killed after any byte, the next call ends with the same log, without a line twice.
TEST_F(TuneNetwork, ResumesALogThatWasCutAnywhere) {
  const std::string log = folder / "log";
  const TuneResult whole = tune_network(request(log));
  const std::string text = read_text_file(log);
  for (size_t percent : {0, 3, 41, 60, 70, 77, 85, 92, 99, 100}) {
    write_file(log, text.substr(0, text.size() * percent / 100));
    const TuneResult resumed = tune_network(request(log));
    EXPECT_EQ(resumed.cycles_after, whole.cycles_after);
    EXPECT_EQ(resumed.measured + resumed.from_log, whole.measured + whole.from_log);
    EXPECT_EQ(tried_by_passes(resumed, true), tried_by_passes(whole, true));
    EXPECT_EQ(read_text_file(log), text) << percent;
    if (percent == 100) EXPECT_EQ(resumed.measured + tried_by_passes(resumed, false), 0u);
  }
}

// Tasks that were measured apart, on machines whose logs are merged, give the result of one call.
TEST_F(TuneNetwork, JoinsIndependentTasks) {
  TuneRequest whole = request(folder / "whole");
  whole.independent = true;
  const TuneResult expected = tune_network(whole);
  EXPECT_LT(expected.cycles_after, expected.cycles_before);

  std::string merged;
  for (const std::vector<size_t>& only : {std::vector<size_t>{4, 2}, {1}, {3}}) {
    TuneRequest part = request(folder / "part");
    part.independent = true;
    part.only = only;
    const TuneResult result = tune_network(part);
    for (size_t i = 0; i < result.tasks.size(); ++i)
      EXPECT_EQ(result.tasks[i].is_open, std::ranges::count(only, i + 1) == 0) << i;
    EXPECT_EQ(result.cycles_after, result.cycles_before);
    merged += read_text_file(folder / "part");
    std::filesystem::remove(folder / "part");
  }
  write_file(folder / "merged", merged);
  TuneRequest joined = request(folder / "merged");
  joined.independent = true;
  joined.only = std::vector<size_t>();
  for (const TunedTask& task : tune_network(joined).tasks) EXPECT_FALSE(task.is_open);
  joined.only.reset();
  const TuneResult result = tune_network(joined);
  EXPECT_EQ(result.measured, 0u);
  EXPECT_EQ(result.cycles_after, expected.cycles_after);
  EXPECT_EQ(cycles(load_schedules({folder / "merged"}, core, "ideal64")), expected.cycles_after);

  joined.only = {5};
  EXPECT_THROW(tune_network(joined), Error);
}

// The same trials, after other layers were tuned: the network's cycles there are not those here.
std::string with_another_history(const std::string& log) {
  std::string text;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line); text += line + "\n") {
    auto json = nlohmann::ordered_json::parse(line);
    if (json.contains("network_cycles_before"))
      for (const char* key : {"network_cycles_before", "network_cycles"})
        json[key] = json[key].get<uint64_t>() - 1000;
    line = json.dump();
  }
  return text;
}

TEST_F(TuneNetwork, TakesNoNetworkCyclesOfAnotherHistory) {
  const std::string log = folder / "log";
  const TuneResult fresh = tune_network(request(log));
  const std::string other = with_another_history(read_text_file(log));
  ASSERT_NE(other, read_text_file(log));
  write_file(log, other);
  const TuneResult result = tune_network(request(log));
  EXPECT_EQ(result.cycles_after, fresh.cycles_after);
  EXPECT_EQ(saved_by_tasks(result) + saved_by_passes(result),
            result.cycles_before - result.cycles_after);
}

TEST(ProgressLine, HasTheFormThatPeopleKnow) {
  TuneProgress progress{
      TuneProgress::What::kTask, 3, 20, 1'000'000, 4000, 2000, 64, 64, 2.18, true};
  EXPECT_EQ(progress_line(progress, 100),
            "[Task  3/20] Current/Best:   50.0/ 100.0 GOPS | Progress: (64/64) | 2.18 s Done.");
  progress.is_done = false;
  progress.what = TuneProgress::What::kPass;
  progress.cycles = 0;
  EXPECT_EQ(progress_line(progress, 100),
            "[Pass  3/20] Current/Best:    0.0/ 100.0 GOPS | Progress: (64/64) | 2.18 s");
}

}  // namespace
}  // namespace vta::sim
