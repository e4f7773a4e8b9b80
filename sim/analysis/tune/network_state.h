// SPDX-License-Identifier: Apache-2.0
//
// NetworkState: the tasks of a network, and the tilings that a search has kept so far.
#ifndef VTA_SIM_ANALYSIS_TUNE_NETWORK_STATE_H_
#define VTA_SIM_ANALYSIS_TUNE_NETWORK_STATE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/lower/lower.h"
#include "compiler/lower/schedule_book.h"
#include "compiler/lower/tiling.h"

namespace vta::sim {

// "14 x 28 x 2 x 2, slots 2 x 4".
std::string text_of(const lower::Tiling& tiling, const lower::ConvShape& shape);

// A tiling for a task.
struct Move {
  size_t task = 0;  // index
  lower::Tiling tiling;
  uint64_t cycles = 0;  // of the task's layer between its neighbours
};

class NetworkState {
 public:
  struct Task {
    lower::TuningTask task;      // with the tiling to start from
    std::vector<size_t> layers;  // indices
    lower::LayerRange window;    // of the first layer: where it is measured
  };

  // `plans`, `cycles`: of the network lowered with the book.
  NetworkState(std::vector<lower::LayerPlan> plans, lower::ScheduleBook book, uint64_t cycles);

  const std::vector<Task>& tasks() const { return tasks_; }  // in order of their first layers
  const std::vector<lower::LayerPlan>& plans() const { return plans_; }  // with the kept tilings
  const lower::ScheduleBook& book() const { return book_; }
  uint64_t cycles() const { return cycles_; }
  const lower::Tiling& tiling(size_t task) const;
  std::string tiling_text(size_t task) const;
  uint64_t macs(lower::LayerRange window) const;

  // The tasks of consecutive layers, each two once, in order of their first places; layers without
  // a task may be between them.
  struct Pair {
    size_t first = 0, second = 0;  // indices of tasks, which differ
    lower::LayerRange window;      // both layers and their neighbours
  };
  std::vector<Pair> pairs() const;

  // The tilings of the layers in the window whose tasks are not `measured`.
  std::string neighbours(lower::LayerRange window, const std::vector<size_t>& measured) const;

  // The book with these tilings.
  lower::ScheduleBook book_with(const std::vector<Move>& moves) const;
  // `cycles`: of the network with these tilings.
  void keep(const std::vector<Move>& moves, uint64_t cycles);

 private:
  lower::LayerRange window_of(size_t layer) const;

  std::vector<lower::LayerPlan> plans_;
  lower::ScheduleBook book_;
  uint64_t cycles_;
  std::vector<Task> tasks_;
  std::vector<size_t> task_of_;  // by layer; SIZE_MAX: none
};

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_NETWORK_STATE_H_
