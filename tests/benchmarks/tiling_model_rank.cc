// SPDX-License-Identifier: Apache-2.0
//
// How well the learned model of vta-sim tune ranks tilings that it has not seen: Spearman's rank
// correlation of predicted and measured cycles, by task, as a Markdown table.
//
//   tiling_model_rank NETWORK [--every N] [--trials N] [--held-out N]
//
// For each task the model learns what the learned tuner measures; the held-out tilings are random.
// The fastest quarter of them shows what a tuner needs, to tell good tilings from better ones. The
// estimate's column ranks by lower::estimate(), without any measurement.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/command_line/command_line.h"
#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "compiler/lower/tiling_search.h"
#include "sim/analysis/tune/judge.h"
#include "sim/analysis/tune/network_state.h"
#include "sim/analysis/tune/tiling_model.h"
#include "sim/analysis/tune/tuner.h"
#include "sim/cycle/cycle_device.h"

namespace vta {
namespace {

constexpr size_t kMinHeldOut = 20;

struct Request {
  std::string network;
  uint64_t every = 4, trials = 64, held_out = 100, seed = 1;
};

struct HeldOut {
  double cycles = 0, predicted = 0, estimated = 0;
};

// Ranks from 0; equal values share their mean rank.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (size_t i = begin; i < end; ++i) ranks[order[i]] = static_cast<double>(begin + end - 1) / 2;
  }
  return ranks;
}

double spearman(const std::vector<double>& x, const std::vector<double>& y) {
  const std::vector<double> a = ranks_of(x), b = ranks_of(y);
  const double mean = static_cast<double>(a.size() - 1) / 2;
  double products = 0, squares_a = 0, squares_b = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    products += (a[i] - mean) * (b[i] - mean);
    squares_a += (a[i] - mean) * (a[i] - mean);
    squares_b += (b[i] - mean) * (b[i] - mean);
  }
  return products / std::sqrt(squares_a * squares_b);
}

// The model's correlation, then the estimate's.
std::pair<double, double> rank_correlations(const std::vector<HeldOut>& tilings) {
  std::vector<double> cycles, predicted, estimated;
  for (const HeldOut& tiling : tilings) {
    cycles.push_back(tiling.cycles);
    predicted.push_back(tiling.predicted);
    estimated.push_back(tiling.estimated);
  }
  return {spearman(predicted, cycles), spearman(estimated, cycles)};
}

class TaskRanking {
 public:
  TaskRanking(const Request& request, const CoreConfig& core, sim::Judge& judge,
              const sim::NetworkState::Task& task)
      : request_(request), core_(core), judge_(judge), task_(task), model_(problem(), core) {}

  // nullopt: the task has too few tilings.
  std::optional<std::vector<HeldOut>> measure() {
    learn();
    std::vector<HeldOut> held_out;
    const auto tuner = make(sim::TunerKind::kRandom, request_.seed + 1);
    while (held_out.size() < request_.held_out) {
      const auto tiling = tuner->propose();
      if (!tiling) break;
      if (seen_.contains(choices_of(*tiling))) continue;
      const auto cycles = static_cast<double>(cycles_of(*tiling));
      const double estimated = lower::estimate(problem(), *tiling, core_).total_cycles;
      held_out.push_back({cycles, model_.predict(*tiling), estimated});
    }
    if (held_out.size() < kMinHeldOut) return std::nullopt;
    std::ranges::sort(held_out, {}, &HeldOut::cycles);
    return held_out;
  }

 private:
  const lower::TilingProblem& problem() const { return task_.task.problem; }
  std::unique_ptr<sim::Tuner> make(sim::TunerKind kind, uint64_t seed) const {
    return make_tuner(kind, problem(), core_, task_.task.tiling, seed);
  }
  uint64_t cycles_of(const lower::Tiling& tiling) {
    lower::ScheduleBook book;
    book.set(task_.task.text, {tiling, "benchmark"});
    return judge_.cycles(book, task_.window);
  }

  void learn() {
    const auto tuner = make(sim::TunerKind::kLearned, request_.seed);
    std::optional<lower::Tiling> tiling = task_.task.tiling;
    for (uint64_t i = 0; tiling && i < request_.trials; ++i, tiling = tuner->propose()) {
      const uint64_t cycles = cycles_of(*tiling);
      tuner->tell(*tiling, cycles);
      model_.add(*tiling, cycles);
      seen_.insert(choices_of(*tiling));
    }
  }

  const Request& request_;
  const CoreConfig& core_;
  sim::Judge& judge_;
  const sim::NetworkState::Task& task_;
  sim::TilingModel model_;
  std::set<lower::TilingChoices> seen_;
};

void measure(const Request& request) {
  CompileOptions options;
  options.core = load_core_config("vta_1x16");
  const CoreConfig& core = options.core;
  const graph::Graph graph = graph_to_lower(import::load_network(request.network), options);
  const auto device = sim::open_cycle_device("timing", core);
  lower::TilingCache tilings;
  sim::Judge judge(graph, core, *device, tilings);
  const sim::NetworkState state(judge.lower({}).layers, {}, 0);
  fmt::print(
      "| layer | held-out tilings | model | estimate | fastest quarter: model | estimate |\n"
      "|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < state.tasks().size(); i += request.every) {
    const sim::NetworkState::Task& task = state.tasks()[i];
    auto held_out = TaskRanking(request, core, judge, task).measure();
    if (!held_out) continue;
    const size_t count = held_out->size();
    const auto [model, estimate] = rank_correlations(*held_out);
    held_out->resize(count / 4);
    const auto [model_of_best, estimate_of_best] = rank_correlations(*held_out);
    fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.3f} |\n",
               state.plans()[task.layers[0]].layer, count, model, estimate, model_of_best,
               estimate_of_best);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  vta::Request request;
  vta::Tool tool("tiling_model_rank", "Rank correlation of the learned model of tilings", "1");
  vta::Command command = tool.command();
  command.argument("network", request.network, "NET", "Network file");
  command.option("--every", request.every, "N", "Every N-th task").at_least(1);
  command.option("--trials", request.trials, "N", "Tilings to learn from, of each task")
      .at_least(1);
  command.option("--held-out", request.held_out, "N", "Other tilings, of each task")
      .at_least(vta::kMinHeldOut);
  command.option("--seed", request.seed, "N", "Of both");
  command.example("tiling_model_rank resnet18.json --every 5");
  command.action([&] { vta::measure(request); });
  return tool.run(argc, argv);
}
