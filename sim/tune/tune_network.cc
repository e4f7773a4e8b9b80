// SPDX-License-Identifier: Apache-2.0
#include "sim/tune/tune_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "compiler/lower/tiling_search.h"
#include "compiler/schedule_log.h"
#include "runtime/base/command_line.h"
#include "runtime/base/error.h"
#include "runtime/base/parallel.h"
#include "runtime/base/stopwatch.h"
#include "sim/tune/judge.h"

namespace vta::sim {
namespace {

using lower::LayerPlan;
using lower::LayerRange;
using lower::ScheduleBook;
using lower::Tiling;

// Proposals that are measured before the tuner learns from them: enough for all workers, and the
// same for every number of them.
constexpr size_t kBatch = 8;
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

struct Measured {
  Tiling tiling;
  uint64_t cycles = 0;
};

class NetworkTuner {
 public:
  explicit NetworkTuner(const TuneRequest& request) : request_(request), book_(request.schedules) {
    for (size_t i = 0; i < std::max<size_t>(1, request.workers); ++i) {
      devices_.push_back(request.open_device());
      judges_.push_back(std::make_unique<Judge>(request.graph, request.core, *devices_.back()));
    }
    log_.emplace(request.log);
    for (Trial& trial : read_schedule_log(request.log, request.core, request.memory)) {
      const auto& tried = trial.of_network;
      const std::string network = tried ? network_key(tried->network, tried->cycles_before) : "";
      std::string key = key_of(trial.task, trial.tiling, trial.neighbours, network);
      logged_.insert_or_assign(std::move(key), std::move(trial));
    }
  }

  TuneResult run() {
    const lower::LoweredGraph lowered = judges_[0]->lower(book_);
    plans_ = start_plans_ = lowered.layers;
    result_.cycles_before = result_.cycles_after = judges_[0]->cycles(lowered.program);
    list_tasks();
    check_only();
    for (size_t i = 0; i < tasks_.size(); ++i) tune(i);
    return std::move(result_);
  }

 private:
  // A network, with the cycles it takes by the schedules that are kept so far: another search has
  // kept others.
  static std::string network_key(const std::string& network, uint64_t cycles_before) {
    return fmt::format("{}: {}", network, cycles_before);
  }
  // Of a trial: the network is "" for one that measures a window.
  static std::string key_of(const std::string& task, const Tiling& t, const std::string& neighbours,
                            const std::string& network) {
    return fmt::format("{}|{}|{}|{}", task, fmt::join(choices_of(t), ","), neighbours, network);
  }

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

  void tune(size_t index) {
    const Task& task = tasks_[index];
    neighbours_ = neighbours_of(task);
    may_measure_ = is_measured(index);
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
    const std::optional<std::vector<Measured>> measured = search(task, stopwatch, progress);
    tuned.trials = progress.trials = progress.trial;
    tuned.is_open = !measured;
    if (measured) {
      tuned.window_cycles_before = tuned.window_cycles_after = measured->at(0).cycles;
      if (!request_.only) keep_best(index, *measured, tuned);
    }
    progress.seconds = stopwatch.seconds();
    progress.is_done = true;
    report(progress);
    result_.tasks.push_back(std::move(tuned));
  }

  // Measures the tiling in use, which is first, and the tuner's proposals. nullopt: as measure().
  std::optional<std::vector<Measured>> search(const Task& task, const Stopwatch& stopwatch,
                                              TuneProgress& progress) {
    auto measured = measure(task, {task.task.tiling});
    if (!measured) return std::nullopt;
    progress.best_cycles = measured->at(0).cycles;
    const auto tuner = make_tuner(request_.tuner, task.task.problem, request_.core,
                                  task.task.tiling, request_.seed);
    tuner->tell(task.task.tiling, measured->at(0).cycles);
    while (progress.trial < request_.trials) {
      const auto batch = measure(task, propose(*tuner, request_.trials - progress.trial));
      if (!batch) return std::nullopt;
      if (batch->empty()) break;
      for (const Measured& m : *batch) {
        tuner->tell(m.tiling, m.cycles);
        measured->push_back(m);
        progress.cycles = m.cycles;
        progress.best_cycles = std::min(progress.best_cycles, m.cycles);
      }
      progress.trial += batch->size();
      progress.seconds = stopwatch.seconds();
      report(progress);
    }
    return measured;
  }

  void report(const TuneProgress& progress) const {
    if (request_.on_progress) request_.on_progress(progress);
  }

  static std::vector<Tiling> propose(Tuner& tuner, uint64_t most) {
    std::vector<Tiling> batch;
    while (batch.size() < std::min<uint64_t>(kBatch, most)) {
      const auto tiling = tuner.propose();
      if (!tiling) break;
      batch.push_back(*tiling);
    }
    return batch;
  }

  // The cycles of the task's window with each tiling: from the log, or measured and logged.
  // nullopt: the log lacks some, and this call does not measure the task.
  std::optional<std::vector<Measured>> measure(const Task& task,
                                               const std::vector<Tiling>& tilings) {
    std::vector<Measured> measured;
    std::vector<size_t> open;
    for (const Tiling& tiling : tilings) {
      const auto logged = logged_.find(key_of(task.task.text, tiling, neighbours_, ""));
      if (logged == logged_.end()) open.push_back(measured.size());
      measured.push_back({tiling, logged == logged_.end() ? 0 : logged->second.cycles});
    }
    if (!open.empty() && !may_measure_) return std::nullopt;
    result_.from_log += measured.size() - open.size();
    result_.measured += open.size();
    in_parallel(open.size(), judges_.size(), [&](size_t worker, size_t i) {
      Measured& m = measured[open[i]];
      ScheduleBook book = request_.independent ? request_.schedules : book_;
      book.set(task.task.text, {m.tiling, "tuner"});
      m.cycles = judges_[worker]->cycles(book, task.window);
    });
    for (size_t i : open) {
      append({task.task.text, measured[i].tiling, neighbours_, measured[i].cycles, {}, {}});
    }
    return measured;
  }

  void append(const Trial& trial) {
    without_interruption([&] { log_->append(to_line(trial, request_.core, request_.memory)); });
  }

  // Keeps the first of the fastest tilings that makes the network faster.
  void keep_best(size_t index, const std::vector<Measured>& measured, TunedTask& tuned) {
    Task& task = tasks_[index];
    const uint64_t limit = measured[0].cycles;
    std::vector<size_t> order(measured.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {}, [&](size_t i) { return std::pair(measured[i].cycles, i); });
    order.resize(std::min(kMaxTriedOnNetwork, order.size()));
    std::vector<Measured> faster;
    for (size_t i : order) {
      if (measured[i].cycles < limit) faster.push_back(measured[i]);
    }
    const std::vector<std::optional<uint64_t>> ahead = try_ahead(task, faster);
    for (size_t i = 0; i < faster.size(); ++i) {
      const Measured& m = faster[i];
      const Trial::OfNetwork tried = try_on_network(task, m, ahead[i]);
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

  // The network's cycles with the first tilings, of each worker one, at the same time; none of
  // those in the log. So a worker does not wait for another's try, which mostly saves nothing.
  std::vector<std::optional<uint64_t>> try_ahead(const Task& task,
                                                 const std::vector<Measured>& tilings) {
    std::vector<std::optional<uint64_t>> cycles(tilings.size());
    const size_t count = std::min(judges_.size(), tilings.size());
    if (count < 2) return cycles;
    in_parallel(count, judges_.size(), [&](size_t worker, size_t i) {
      if (logged_on_network(task, tilings[i]) == nullptr)
        cycles[i] = judges_[worker]->cycles(book_with(task, tilings[i]));
    });
    return cycles;
  }

  const Trial* logged_on_network(const Task& task, const Measured& m) const {
    const auto logged = logged_.find(key_of(task.task.text, m.tiling, neighbours_,
                                            network_key(request_.network, result_.cycles_after)));
    return logged == logged_.end() ? nullptr : &logged->second;
  }

  ScheduleBook book_with(const Task& task, const Measured& m) const {
    ScheduleBook book = book_;
    book.set(task.task.text, {m.tiling, "tuner"});
    return book;
  }

  // `ahead`: of try_ahead().
  Trial::OfNetwork try_on_network(const Task& task, const Measured& m,
                                  std::optional<uint64_t> ahead) {
    if (const Trial* logged = logged_on_network(task, m)) return *logged->of_network;
    const uint64_t cycles = ahead ? *ahead : judges_[0]->cycles(book_with(task, m));
    const Trial::OfNetwork tried{request_.network, result_.cycles_after, cycles};
    append({task.task.text, m.tiling, neighbours_, m.cycles, tried, {}});
    return tried;
  }

  const TuneRequest& request_;
  ScheduleBook book_;
  std::optional<ScheduleLog> log_;
  std::vector<std::unique_ptr<driver::Device>> devices_;
  std::vector<std::unique_ptr<Judge>> judges_;  // by worker
  std::map<std::string, Trial> logged_;         // by key_of()
  std::vector<LayerPlan> start_plans_;          // with the tilings of the request's schedules
  std::vector<LayerPlan> plans_;                // with the tilings of book_
  std::vector<Task> tasks_;
  std::string neighbours_;    // of the task that is being tuned
  bool may_measure_ = false;  // likewise
  TuneResult result_;
};

}  // namespace

TuneResult tune_network(const TuneRequest& request) { return NetworkTuner(request).run(); }

}  // namespace vta::sim
