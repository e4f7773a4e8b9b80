// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/tune_network.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/limits/stopwatch.h"
#include "sim/analysis/tune/judge_pool.h"
#include "sim/analysis/tune/network_state.h"
#include "sim/analysis/tune/network_trials.h"
#include "sim/analysis/tune/task_search.h"
#include "sim/analysis/tune/trial_log.h"

namespace vta::sim {
namespace {

// A task's fastest tilings: so many are tried on the whole network.
constexpr size_t kMaxTriedOnNetwork = 3;

constexpr uint64_t kFirstTrials = 8;  // of a task, in the first stage

using Measured = TaskSearch::Measured;

// The trials of each stage.
std::vector<uint64_t> stages_of(const TuneRequest& request) {
  std::vector<uint64_t> stages;
  if (!request.only) {
    for (uint64_t trials = kFirstTrials; trials < request.trials; trials *= 2)
      stages.push_back(trials);
  }
  stages.push_back(request.trials);
  return stages;
}

class NetworkTuner {
 public:
  explicit NetworkTuner(const TuneRequest& request)
      : request_(request),
        log_(request.log, request.core, request.memory),
        pool_(request.graph, request.core, request.workers, request.open_device),
        state_(start()),
        start_(state_),
        trials_(state_, request.network, pool_, log_) {}

  TuneResult run() {
    result_.cycles_before = state_.cycles();
    check_only();
    for (size_t i = 0; i < state_.tasks().size(); ++i) result_.tasks.push_back(task_of(i));
    const std::vector<uint64_t> stages = stages_of(request_);
    for (size_t i = 0; i < stages.size(); ++i) {
      say_phase(fmt::format("Stage {} of {}: {} of each of {}", i + 1, stages.size(),
                            counted(stages[i], "trial"), counted(state_.tasks().size(), "task")));
      run_stage(stages[i]);
    }
    if (!request_.only) {
      say_phase("Measuring the network with the log");
      log_state();
      result_.cycles_of_log = cycles_of_log();
    }
    result_.cycles_after = state_.cycles();
    return std::move(result_);
  }

 private:
  using Task = NetworkState::Task;

  NetworkState start() {
    JudgePool::Measurement whole = pool_.measure(request_.schedules);
    std::vector<lower::LayerPlan> plans = pool_.lower(request_.schedules).layers;
    return {std::move(plans), request_.schedules, whole.cycles()};
  }

  TunedTask task_of(size_t index) const {
    TunedTask tuned;
    tuned.text = state_.tasks()[index].task.text;
    for (size_t layer : state_.tasks()[index].layers)
      tuned.layers.push_back(state_.plans()[layer].layer);
    tuned.before = tuned.after = state_.tiling_text(index);
    return tuned;
  }

  void run_stage(uint64_t trials) {
    stage_trials_ = trials;
    candidates_.clear();
    next_search_.reset();
    for (size_t i = 0; i < state_.tasks().size(); ++i) tune(i);
    if (!request_.only && request_.candidates > 1) {
      say_phase(fmt::format("Pass over the network: the {} fastest tilings of each task",
                            request_.candidates));
      combine();
    }
    is_first_stage_ = false;
  }

  void check_only() const {
    const size_t count = state_.tasks().size();
    for (const size_t number : request_.only.value_or(std::vector<size_t>())) {
      if (number < 1 || number > count)
        fail(ErrorCode::kInvalidArgument, "task {}: {} has tasks 1 to {}", number, request_.network,
             count);
    }
  }

  bool is_measured(size_t index) const {
    return !request_.only || std::ranges::count(*request_.only, index + 1) > 0;
  }

  // What a task's neighbours have when it is measured.
  const NetworkState& place() const { return request_.independent ? start_ : state_; }
  std::string neighbours_of(size_t index) const {
    return place().neighbours(state_.tasks()[index].window, {index});
  }

  // Opens a task's search with the schedules that are kept now.
  std::unique_ptr<TaskSearch> open_search(size_t index) {
    Task task = state_.tasks()[index];
    task.task.tiling = place().tiling(index);
    TaskSearch::Setting setting{.task = task.task,
                                .window = task.window,
                                .neighbours = neighbours_of(index),
                                .book = place().book(),
                                .trials = stage_trials_,
                                .early_stopping = request_.early_stopping,
                                .takes_log_only = !is_measured(index)};
    auto tuner = make_tuner(request_.tuner, task.task.problem, request_.core, task.task.tiling,
                            request_.seed);
    return std::make_unique<TaskSearch>(std::move(setting), std::move(tuner), pool_, log_);
  }

  // The search that open_next() has begun, unless the task's neighbours have changed since.
  std::unique_ptr<TaskSearch> take_search(size_t index) {
    std::unique_ptr<TaskSearch> search = std::move(next_search_);
    if (search && search->setting().neighbours == neighbours_of(index)) return search;
    search.reset();
    return open_search(index);
  }

  // Requests the first trials of the next task, so that the threads have work until this one ends.
  void open_next(size_t index) {
    if (next_search_ || index + 1 == state_.tasks().size()) return;
    next_search_ = open_search(index + 1);
    next_search_->request();
  }

  void tune(size_t index) {
    const Task& task = state_.tasks()[index];
    TunedTask& tuned = result_.tasks[index];
    TuneProgress progress;
    progress.number = index + 1;
    progress.count = state_.tasks().size();
    progress.macs = state_.macs(task.window);
    progress.trials = stage_trials_;
    const Stopwatch stopwatch;
    const std::unique_ptr<TaskSearch> search = take_search(index);
    const std::vector<Measured> measured = measure_all(index, *search, stopwatch, progress);
    progress.trials = progress.trial;
    tuned.trials = std::max(tuned.trials, progress.trial);
    tuned.is_open = search->is_open();
    if (!tuned.is_open) {
      if (is_first_stage_) {
        tuned.window_cycles_before = tuned.window_cycles_after = measured.at(0).cycles;
        if (!request_.only) log_start(index, search->setting().neighbours);
      }
      if (!request_.only) keep_best(index, search->setting().neighbours, measured, tuned);
      candidates_.push_back(candidates_of(index, measured));
    }
    progress.seconds = stopwatch.seconds();
    progress.is_done = true;
    report(progress);
  }

  // The tiling in use, which is first, and the tuner's proposals.
  std::vector<Measured> measure_all(size_t index, TaskSearch& search, const Stopwatch& stopwatch,
                                    TuneProgress& progress) {
    std::vector<Measured> measured;
    while (const std::optional<Measured> trial = search.next()) {
      ++(trial->is_from_log ? result_.from_log : result_.measured);
      if (search.has_requested_all()) open_next(index);
      progress.trial = measured.size();
      measured.push_back(*trial);
      progress.cycles = trial->cycles;
      progress.best_cycles =
          progress.trial == 0 ? trial->cycles : std::min(progress.best_cycles, trial->cycles);
      progress.seconds = stopwatch.seconds();
      report(progress);
    }
    return measured;
  }

  void say_phase(const std::string& text) const {
    if (request_.on_phase) request_.on_phase(text);
  }
  void report(const TuneProgress& progress) const {
    if (request_.on_progress) request_.on_progress(progress);
  }

  // The fastest tilings that are faster than the one in use.
  static std::vector<Measured> fastest_of(const std::vector<Measured>& measured) {
    std::vector<size_t> order = by_cycles(measured);
    order.resize(std::min(kMaxTriedOnNetwork, order.size()));
    std::vector<Measured> fastest;
    for (size_t i : order) {
      if (measured[i].cycles < measured[0].cycles) fastest.push_back(measured[i]);
    }
    return fastest;
  }

  // Keeps the first of the fastest tilings that makes the network faster.
  void keep_best(size_t index, const std::string& neighbours, const std::vector<Measured>& measured,
                 TunedTask& tuned) {
    const std::vector<Measured> fastest = fastest_of(measured);
    std::deque<NetworkTrials::Request> tries;  // from the i-th on
    size_t requested = 0;
    const auto moves_of = [&](const Measured& m) {
      return std::vector<Move>{{index, m.tiling, m.cycles}};
    };
    for (size_t i = 0; i < fastest.size(); ++i, tries.pop_front()) {
      while (requested < std::min(fastest.size(), i + pool_.num_workers())) {
        const std::vector<Move> moves = moves_of(fastest[requested++]);
        tries.push_back(
            trials_.request(moves, trial_of(moves, state_, neighbours), JudgePool::Place::kFirst));
      }
      const uint64_t cycles = trials_.finish(tries.front());
      if (cycles >= state_.cycles()) continue;
      tuned.saved_cycles += state_.cycles() - cycles;
      state_.keep(moves_of(fastest[i]), cycles);
      set_after(index, fastest[i].cycles, tuned);
      return;
    }
  }

  void set_after(size_t index, uint64_t window_cycles, TunedTask& tuned) const {
    tuned.after = state_.tiling_text(index);
    tuned.window_cycles_after = window_cycles;
  }

  // The indices of measurements, in ascending order of cycles.
  static std::vector<size_t> by_cycles(const std::vector<Measured>& measured) {
    std::vector<size_t> order(measured.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {}, [&](size_t i) { return std::pair(measured[i].cycles, i); });
    return order;
  }

  // The kept tiling and the fastest others.
  std::vector<Move> candidates_of(size_t index, const std::vector<Measured>& measured) const {
    const auto is_kept = [&](const Measured& m) {
      return m.tiling.same_choices(state_.tiling(index));
    };
    const Measured& kept = *std::ranges::find_if(measured, is_kept);
    std::vector<Move> candidates = {{index, kept.tiling, kept.cycles}};
    for (const size_t i : by_cycles(measured)) {
      const Measured& m = measured[i];
      if (candidates.size() < request_.candidates && !is_kept(m))
        candidates.push_back({index, m.tiling, m.cycles});
    }
    return candidates;
  }

  void combine() {
    NetworkPass pass(state_, candidates_, request_.network, pool_, log_, request_.on_progress);
    result_.passes.push_back(pass.run());
    for (size_t i = 0; i < candidates_.size(); ++i) {
      for (const Move& move : candidates_[i]) {
        if (move.tiling.same_choices(state_.tiling(i))) set_after(i, move.cycles, result_.tasks[i]);
      }
    }
  }

  // Logs a tiling that the request's schedules have: a log replays without them.
  void log_start(size_t index, const std::string& neighbours) {
    const lower::ScheduleBook::Entry* given =
        request_.schedules.find(state_.tasks()[index].task.text);
    if (given != nullptr)
      log_of_state(index, start_.tiling(index), result_.tasks[index].window_cycles_before,
                   neighbours, result_.cycles_before);
  }

  // Logs the tilings of all tasks: together they take the cycles that the search has found.
  void log_state() {
    for (size_t i = 0; i < state_.tasks().size(); ++i) {
      if (!result_.tasks[i].is_open)
        log_of_state(i, state_.tiling(i), result_.tasks[i].window_cycles_after,
                     state_.neighbours(state_.tasks()[i].window, {i}), state_.cycles());
    }
  }

  void log_of_state(size_t index, const lower::Tiling& tiling, uint64_t window_cycles,
                    const std::string& neighbours, uint64_t network_cycles) {
    Trial trial = trial_of({{index, tiling, window_cycles}}, state_, neighbours);
    trial.of_network = Trial::OfNetwork{request_.network, result_.cycles_before, network_cycles,
                                        /*is_state=*/true};
    if (log_.find(trial) == nullptr) log_.append(trial);
  }

  uint64_t cycles_of_log() {
    const std::string log = request_.log.string();
    return pool_.measure(load_schedules({log}, request_.core, request_.memory, request_.network))
        .cycles();
  }

  const TuneRequest& request_;
  TrialLog log_;
  JudgePool pool_;
  NetworkState state_;
  const NetworkState start_;  // with the tilings of the request's schedules
  NetworkTrials trials_;
  std::vector<std::vector<Move>> candidates_;  // by task
  std::unique_ptr<TaskSearch> next_search_;    // of the task after the one that is tuned
  uint64_t stage_trials_ = 0;
  bool is_first_stage_ = true;
  TuneResult result_;
};

}  // namespace

TuneResult tune_network(const TuneRequest& request) { return NetworkTuner(request).run(); }

}  // namespace vta::sim
