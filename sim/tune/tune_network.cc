// SPDX-License-Identifier: Apache-2.0
#include "sim/tune/tune_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "compiler/lower/tiling_search.h"
#include "compiler/schedule_log.h"
#include "runtime/base/error.h"
#include "runtime/base/stopwatch.h"
#include "sim/tune/judge_pool.h"
#include "sim/tune/task_search.h"
#include "sim/tune/trial_log.h"

namespace vta::sim {
namespace {

using lower::LayerPlan;
using lower::LayerRange;
using lower::ScheduleBook;
using lower::Tiling;

// Of a task, the fastest tilings that are tried on the whole network.
constexpr size_t kMaxTriedOnNetwork = 3;

std::string text_of(const Tiling& tiling, const lower::ConvShape& shape) {
  return fmt::format("{}, slots {} x {}", to_string(tiling, shape), tiling.inp_slots,
                     tiling.wgt_slots);
}

// A task, its layers and where it is measured.
struct Task {
  lower::TuningTask task;
  std::vector<size_t> layers;  // indices
  LayerRange window;           // of the first layer
};

using Measured = TaskSearch::Measured;

class NetworkTuner {
 public:
  explicit NetworkTuner(const TuneRequest& request)
      : request_(request),
        book_(request.schedules),
        log_(request.log, request.core, request.memory),
        pool_(request.graph, request.core, request.workers, request.open_device) {}

  TuneResult run() {
    JudgePool::Measurement whole = pool_.measure(book_);
    plans_ = start_plans_ = pool_.lower(book_).layers;
    result_.cycles_before = result_.cycles_after = whole.cycles();
    list_tasks();
    check_only();
    for (size_t i = 0; i < tasks_.size(); ++i) tune(i);
    return std::move(result_);
  }

 private:
  void list_tasks() {
    std::map<std::string, size_t> index;
    for (size_t i = 0; i < plans_.size(); ++i) {
      if (!plans_[i].task) continue;
      const auto [entry, is_new] = index.try_emplace(plans_[i].task->text, tasks_.size());
      if (is_new) tasks_.push_back({*plans_[i].task, {}, window_of(i)});
      tasks_[entry->second].layers.push_back(i);
    }
  }

  void check_only() const {
    for (const size_t number : request_.only.value_or(std::vector<size_t>())) {
      if (number < 1 || number > tasks_.size())
        fail(ErrorCode::kInvalidArgument, "task {}: {} has tasks 1 to {}", number, request_.network,
             tasks_.size());
    }
  }

  bool is_measured(size_t index) const {
    return !request_.only || std::ranges::count(*request_.only, index + 1) > 0;
  }

  // The nearest layers before and after a layer that have instructions, if they are in its stream.
  LayerRange window_of(size_t layer) const {
    LayerRange window{layer, layer + 1};
    const auto is_view = [&](size_t i) {
      return plans_[i].on_core && plans_[i].tiles == "in place";
    };
    size_t before = layer;
    while (before > 0 && is_view(before - 1)) --before;
    if (before > 0 && plans_[before - 1].on_core) window.first = before - 1;
    size_t after = layer + 1;
    while (after < plans_.size() && is_view(after)) ++after;
    if (after < plans_.size() && plans_[after].on_core) window.end = after + 1;
    return window;
  }

  // The tilings of the other layers in the window.
  std::string neighbours_of(const Task& task) const {
    const std::vector<LayerPlan>& plans = request_.independent ? start_plans_ : plans_;
    std::string text;
    for (size_t i = task.window.first; i < task.window.end; ++i) {
      if (i == task.layers[0] || !plans[i].task) continue;
      text += fmt::format("{}{}", text.empty() ? "" : "; ",
                          text_of(plans[i].task->tiling, plans[i].task->problem.shape));
    }
    return text;
  }

  uint64_t window_macs(const Task& task) const {
    uint64_t macs = 0;
    for (size_t i = task.window.first; i < task.window.end; ++i) macs += plans_[i].macs;
    return macs;
  }

  // Of a task, with the schedules that are kept now.
  std::unique_ptr<TaskSearch> open_search(size_t index) {
    const Task& task = tasks_[index];
    TaskSearch::Setting setting{.task = task.task,
                                .window = task.window,
                                .neighbours = neighbours_of(task),
                                .book = request_.independent ? request_.schedules : book_,
                                .trials = request_.trials,
                                .takes_log_only = !is_measured(index)};
    auto tuner = make_tuner(request_.tuner, task.task.problem, request_.core, task.task.tiling,
                            request_.seed);
    return std::make_unique<TaskSearch>(std::move(setting), std::move(tuner), pool_, log_);
  }

  // The search that open_next() has begun, unless the task's neighbours have changed since.
  std::unique_ptr<TaskSearch> take_search(size_t index) {
    std::unique_ptr<TaskSearch> search = std::move(next_search_);
    if (search && search->setting().neighbours == neighbours_of(tasks_[index])) return search;
    search.reset();
    return open_search(index);
  }

  // Requests the first trials of the next task, so that the threads have work until this one ends.
  void open_next(size_t index) {
    if (next_search_ || index + 1 == tasks_.size()) return;
    next_search_ = open_search(index + 1);
    next_search_->request();
  }

  void tune(size_t index) {
    const Task& task = tasks_[index];
    TunedTask tuned;
    tuned.text = task.task.text;
    for (size_t layer : task.layers) tuned.layers.push_back(plans_[layer].layer);
    tuned.before = tuned.after = text_of(task.task.tiling, task.task.problem.shape);
    TuneProgress progress;
    progress.task = index + 1;
    progress.num_tasks = tasks_.size();
    progress.window_macs = window_macs(task);
    progress.trials = request_.trials;
    const Stopwatch stopwatch;
    const std::unique_ptr<TaskSearch> search = take_search(index);
    const std::vector<Measured> measured = measure_all(index, *search, stopwatch, progress);
    tuned.trials = progress.trials = progress.trial;
    tuned.is_open = search->is_open();
    if (!tuned.is_open) {
      tuned.window_cycles_before = tuned.window_cycles_after = measured.at(0).cycles;
      if (!request_.only) keep_best(index, search->setting().neighbours, measured, tuned);
    }
    progress.seconds = stopwatch.seconds();
    progress.is_done = true;
    report(progress);
    result_.tasks.push_back(std::move(tuned));
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

  void report(const TuneProgress& progress) const {
    if (request_.on_progress) request_.on_progress(progress);
  }

  // The fastest tilings that are faster than the one in use.
  static std::vector<Measured> fastest_of(const std::vector<Measured>& measured) {
    std::vector<size_t> order(measured.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {}, [&](size_t i) { return std::pair(measured[i].cycles, i); });
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
    Task& task = tasks_[index];
    const std::vector<Measured> fastest = fastest_of(measured);
    std::deque<Try> tries;  // from the i-th on
    size_t requested = 0;
    for (size_t i = 0; i < fastest.size(); ++i, tries.pop_front()) {
      while (requested < std::min(fastest.size(), i + pool_.num_workers()))
        tries.push_back(request_try(task, neighbours, fastest[requested++].tiling));
      const Measured& m = fastest[i];
      const Trial::OfNetwork tried = finish_try(task, neighbours, m, tries.front());
      if (!tried.kept()) continue;
      book_.set(task.task.text, {m.tiling, "tuner"});
      for (size_t layer : task.layers) plans_[layer].task->tiling = m.tiling;
      tuned.after = text_of(m.tiling, task.task.problem.shape);
      tuned.window_cycles_after = m.cycles;
      tuned.saved_cycles = result_.cycles_after - tried.cycles;
      result_.cycles_after = tried.cycles;
      return;
    }
  }

  // Of a tiling on the whole network: in the log, or requested before the trials that wait.
  struct Try {
    const Trial::OfNetwork* logged = nullptr;
    std::optional<JudgePool::Measurement> measurement;
  };
  Try request_try(const Task& task, const std::string& neighbours, const Tiling& tiling) {
    const std::string& text = task.task.text;
    if (const auto* logged =
            log_.find_on_network(text, tiling, neighbours, request_.network, result_.cycles_after))
      return {logged, std::nullopt};
    ScheduleBook book = book_;
    book.set(text, {tiling, "tuner"});
    return {nullptr, pool_.measure(std::move(book), {}, JudgePool::Place::kFirst)};
  }
  Trial::OfNetwork finish_try(const Task& task, const std::string& neighbours, const Measured& m,
                              Try& tried) {
    if (tried.logged != nullptr) return *tried.logged;
    const Trial::OfNetwork result{request_.network, result_.cycles_after,
                                  tried.measurement->cycles()};
    log_.append({task.task.text, m.tiling, neighbours, m.cycles, result, {}});
    return result;
  }

  const TuneRequest& request_;
  ScheduleBook book_;
  TrialLog log_;
  JudgePool pool_;
  std::vector<LayerPlan> start_plans_;  // with the tilings of the request's schedules
  std::vector<LayerPlan> plans_;        // with the tilings of book_
  std::vector<Task> tasks_;
  std::unique_ptr<TaskSearch> next_search_;  // of the task after the one that is tuned
  TuneResult result_;
};

}  // namespace

TuneResult tune_network(const TuneRequest& request) { return NetworkTuner(request).run(); }

}  // namespace vta::sim
