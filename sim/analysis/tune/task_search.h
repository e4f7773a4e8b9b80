// SPDX-License-Identifier: Apache-2.0
//
// TaskSearch: the trials of one task, several of them in flight.
//
// Proposal k follows the results of the trials up to k - kMaxInFlight, in this order. A thread that
// ends a measurement finds the next one waiting, and the proposals do not depend on the number of
// threads.
#ifndef VTA_SIM_ANALYSIS_TUNE_TASK_SEARCH_H_
#define VTA_SIM_ANALYSIS_TUNE_TASK_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/lower/lower.h"
#include "compiler/lower/schedule_book.h"
#include "compiler/lower/tiling.h"
#include "sim/analysis/tune/judge_pool.h"
#include "sim/analysis/tune/trial_log.h"
#include "sim/analysis/tune/tuner.h"

namespace vta::sim {

class TaskSearch {
 public:
  struct Setting {
    lower::TuningTask task;
    lower::LayerRange window;     // where it is measured
    std::string neighbours;       // the tilings of the other layers in the window
    lower::ScheduleBook book;     // theirs
    uint64_t trials = 0;          // at most
    uint64_t early_stopping = 0;  // end after so many in a row without a faster one; 0: do not
    bool takes_log_only = false;  // a trial that the log lacks ends the search
  };
  struct Measured {
    lower::Tiling tiling;
    uint64_t cycles = 0;  // of the window
    bool is_from_log = false;
  };

  TaskSearch(Setting setting, std::unique_ptr<Tuner> tuner, JudgePool& pool, TrialLog& log);

  const Setting& setting() const { return setting_; }

  // The next result, logged: first of the tiling in use, then of the tuner's proposals. nullopt:
  // the search has ended. Errors: as Judge::cycles() and TrialLog::append().
  std::optional<Measured> next();

  // Requests as many trials as may be in flight; next() does, too.
  void request();
  // Whether all trials have been requested.
  bool has_requested_all() const { return ended_; }
  // The log lacked a trial, and takes_log_only.
  bool is_open() const { return is_open_; }

 private:
  struct InFlight {
    Measured trial;
    std::optional<JudgePool::Measurement> measurement;  // none: in the log
  };

  void launch(const lower::Tiling& tiling);
  void stop_if_stuck(uint64_t cycles);
  Trial log_line(const lower::Tiling& tiling, uint64_t cycles) const;

  const Setting setting_;
  const std::unique_ptr<Tuner> tuner_;
  JudgePool& pool_;
  TrialLog& log_;
  std::deque<InFlight> in_flight_;
  uint64_t proposed_ = 0;
  std::optional<uint64_t> best_cycles_;
  uint64_t since_best_ = 0;  // trials
  bool started_ = false, ended_ = false, is_open_ = false;
};

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_TASK_SEARCH_H_
