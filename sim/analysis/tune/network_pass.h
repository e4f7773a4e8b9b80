// SPDX-License-Identifier: Apache-2.0
//
// NetworkPass: combines the fastest tilings of the tasks so that the whole network is faster.
//
// Neighbours share INP, WGT and ACC: a layer loads its first chunks while the layer before it
// computes, into the slots that this one leaves free, and the same weights may stay resident. So
// the tiling that is the fastest between the neighbours' old tilings may not be so between their
// new ones, and two tilings may save cycles only together. The pass is a coordinate descent: it
// tries the candidates of each task on the whole network and keeps the best one, then those of two
// consecutive tasks at once. Pairs are measured between their neighbours first, and only the
// fastest on the whole network. What a kept tiling may have changed is tried again, until nothing
// saves cycles. While a task or pair is measured, the next one is requested, too, so that threads
// do not wait; it is requested again if a tiling is kept.
#ifndef VTA_SIM_ANALYSIS_TUNE_NETWORK_PASS_H_
#define VTA_SIM_ANALYSIS_TUNE_NETWORK_PASS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/limits/stopwatch.h"
#include "sim/analysis/tune/judge_pool.h"
#include "sim/analysis/tune/network_state.h"
#include "sim/analysis/tune/network_trials.h"
#include "sim/analysis/tune/trial_log.h"
#include "sim/analysis/tune/tune_progress.h"

namespace vta::sim {

struct NetworkPassResult {
  struct Kept {
    std::vector<std::string> layers;   // the first of each task
    std::vector<std::string> tilings;  // of each task
    uint64_t saved_cycles = 0;         // of the network, at least 1
  };
  uint64_t cycles_before = 0, cycles_after = 0;  // of the network
  std::vector<Kept> kept;                        // in the order in which they were kept
  uint64_t measured = 0, from_log = 0;           // on the network, or on pairs
};

class NetworkPass {
 public:
  // `candidates`: by task; the kept tiling is one of them. All outlive the pass.
  NetworkPass(NetworkState& state, const std::vector<std::vector<Move>>& candidates,
              const std::string& network, JudgePool& pool, TrialLog& log,
              std::function<void(const TuneProgress&)> on_progress);

  // The state has the kept tilings then. Errors: as Judge::cycles() and TrialLog::append().
  NetworkPassResult run();

 private:
  // One task, or two that are consecutive.
  struct Item {
    std::vector<size_t> tasks;
    lower::LayerRange window;
  };
  // The combinations of an item, requested: of one task on the whole network, of two in their
  // window, the kept tilings first.
  struct Launched {
    size_t item = 0, kept = 0;  // kept: as many steps had been kept
    std::vector<std::vector<Move>> combinations;
    std::vector<NetworkTrials::Request> requests;
  };

  void list_items();
  bool run_round();
  void begin_round(size_t round);
  void end_round();
  bool is_due(const Item& item) const;
  std::optional<size_t> next_due(size_t item) const;  // from this one on

  std::vector<Move> others(size_t task) const;  // candidates that are not in use
  Move kept(size_t task) const;
  std::vector<std::vector<Move>> combinations_of(const Item& item) const;
  Launched launch(size_t index);
  // Whether one of the combinations is kept.
  bool finish(Launched launched);
  Launched fastest_on_network(Launched in_window);
  void keep(const std::vector<Move>& moves, uint64_t cycles);
  void count(bool is_from_log);

  NetworkState& state_;
  const std::vector<std::vector<Move>>& candidates_;
  NetworkTrials trials_;
  const std::function<void(const TuneProgress&)> on_progress_;
  std::vector<Item> items_;                      // all tasks, then all pairs
  std::vector<std::vector<size_t>> near_;        // by task: itself, and those beside it
  std::vector<size_t> changed_at_;               // by task: as many steps had been kept
  std::vector<std::optional<size_t>> tried_at_;  // likewise, by item
  Stopwatch stopwatch_;
  TuneProgress progress_;
  NetworkPassResult result_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_NETWORK_PASS_H_
