// SPDX-License-Identifier: Apache-2.0
//
// tune_network(): searches for better tilings of a network's layers, task by task, and keeps what
// makes the whole network faster.
//
// It goes in stages of 8, 16, 32, ... trials of each task, up to the number asked for; each begins
// with what the one before has kept. So more trials contain fewer: if 8 * 2^n are asked for, the
// result is not worse than that of fewer.
//
// A tiling is measured in its place: the layer is lowered with the layers before and after it, as
// one stream, and the device counts its cycles. The fastest tilings of a task are then tried on the
// whole network; one that saves cycles there is kept for all layers of the task. After the tasks a
// pass over the whole network combines their fastest tilings (network_pass.h). So the network never
// becomes slower, and layers that share memory with their neighbours are measured with them.
#ifndef VTA_SIM_ANALYSIS_TUNE_TUNE_NETWORK_H_
#define VTA_SIM_ANALYSIS_TUNE_TUNE_NETWORK_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/lower/schedule_book.h"
#include "configs/core_config.h"
#include "driver/device.h"
#include "sim/analysis/tune/network_pass.h"
#include "sim/analysis/tune/tune_progress.h"
#include "sim/analysis/tune/tuner.h"

namespace vta::sim {

struct TuneRequest {
  const graph::Graph& graph;  // as lower::lower() takes it
  CoreConfig core;
  std::string memory, network;    // names, for the log
  lower::ScheduleBook schedules;  // to start from
  TunerKind tuner = TunerKind::kGenetic;
  uint64_t trials = 64, seed = 1;  // trials: of a task, at most
  // A task's stage ends after so many trials in a row that are not faster; 0: after all trials.
  uint64_t early_stopping = 0;
  size_t workers = 1;  // threads; the result does not depend on their number
  // So many tilings of each task are combined in the pass over the network; 1: there is no pass.
  size_t candidates = 4;
  std::filesystem::path log;  // schedule_log.h; its measurements are not repeated
  // Measure each task between its neighbours' starting tilings instead of the kept ones: then tasks
  // can be measured in any order, and on several machines.
  bool independent = false;
  // The tasks that are measured, from 1 on, and nothing is tried on the network: a part of an
  // independent search. nullopt: all tasks.
  std::optional<std::vector<size_t>> only;
  std::function<std::unique_ptr<driver::Device>()> open_device;  // one that counts cycles
  std::function<void(const TuneProgress&)> on_progress;          // optional
  std::function<void(const std::string&)> on_phase;  // optional: "Stage 2 of 4: ...", as it begins
};

struct TunedTask {
  std::string text;  // task_text()
  std::vector<std::string> layers;
  std::string before, after;  // tilings as to_string() prints them, with their slots
  uint64_t window_cycles_before = 0, window_cycles_after = 0;  // of these, when they were measured
  uint64_t trials = 0;                                         // measured, now or by the log
  uint64_t saved_cycles = 0;  // of the whole network, not by passes; 0: nothing was kept
  bool is_open = false;       // the log lacks trials, which this call did not measure
};

struct TuneResult {
  uint64_t cycles_before = 0, cycles_after = 0;  // of the network's layers on the core
  // With the log alone, measured. nullopt with `only`: the log is a part of one.
  std::optional<uint64_t> cycles_of_log;
  std::vector<TunedTask> tasks;           // in order of their first layers
  uint64_t measured = 0, from_log = 0;    // trials
  std::vector<NetworkPassResult> passes;  // one in each stage, or none
};

// Errors: as lower::lower(), Device::run() and ScheduleLog; kInvalidArgument if `only` has a number
// that no task has.
TuneResult tune_network(const TuneRequest& request);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_TUNE_NETWORK_H_
