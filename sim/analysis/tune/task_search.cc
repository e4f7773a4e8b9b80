// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/task_search.h"

#include <utility>

namespace vta::sim {
namespace {

// Enough for all threads of a large machine to have work; a tuner that learned from all earlier
// trials would propose a little better.
constexpr size_t kMaxInFlight = 8;

}  // namespace

TaskSearch::TaskSearch(Setting setting, std::unique_ptr<Tuner> tuner, JudgePool& pool,
                       TrialLog& log)
    : setting_(std::move(setting)), tuner_(std::move(tuner)), pool_(pool), log_(log) {}

std::optional<TaskSearch::Measured> TaskSearch::next() {
  request();
  if (in_flight_.empty()) return std::nullopt;
  InFlight oldest = std::move(in_flight_.front());
  in_flight_.pop_front();
  Measured& trial = oldest.trial;
  if (oldest.measurement) {
    trial.cycles = oldest.measurement->cycles();
    log_.append(log_line(trial.tiling, trial.cycles));
  }
  tuner_->tell(trial.tiling, trial.cycles);
  stop_if_stuck(trial.cycles);
  return trial;
}

// Trials in flight are dropped: the search ends with the same one for every number of threads.
void TaskSearch::stop_if_stuck(uint64_t cycles) {
  const bool is_faster = !best_cycles_ || cycles < *best_cycles_;
  if (is_faster) best_cycles_ = cycles;
  since_best_ = is_faster ? 0 : since_best_ + 1;
  if (setting_.early_stopping == 0 || since_best_ < setting_.early_stopping) return;
  in_flight_.clear();
  ended_ = true;
  is_open_ = false;  // a trial that the log lacks is not needed
}

void TaskSearch::request() {
  while (!ended_ && in_flight_.size() < kMaxInFlight) {
    if (!started_) {
      started_ = true;
      launch(setting_.task.tiling);
    } else if (const auto tiling = proposed_ < setting_.trials ? tuner_->propose() : std::nullopt) {
      ++proposed_;
      launch(*tiling);
    } else {
      ended_ = true;
    }
  }
}

Trial TaskSearch::log_line(const lower::Tiling& tiling, uint64_t cycles) const {
  Trial trial;
  trial.task = setting_.task.text;
  trial.tiling = tiling;
  trial.neighbours = setting_.neighbours;
  trial.cycles = cycles;
  return trial;
}

void TaskSearch::launch(const lower::Tiling& tiling) {
  if (const Trial* logged = log_.find(log_line(tiling, 0))) {
    in_flight_.push_back({{tiling, logged->cycles, true}, std::nullopt});
  } else if (setting_.takes_log_only) {
    ended_ = is_open_ = true;
  } else {
    lower::ScheduleBook book = setting_.book;
    book.set(setting_.task.text, {tiling, "tuner"});
    in_flight_.push_back({{tiling, 0, false}, pool_.measure(std::move(book), setting_.window)});
  }
}

}  // namespace vta::sim
