// SPDX-License-Identifier: Apache-2.0
//
// NetworkTrials: measures tilings of one or several tasks beside those that are kept, on the whole
// network or in a window of it, and logs them.
#ifndef VTA_SIM_ANALYSIS_TUNE_NETWORK_TRIALS_H_
#define VTA_SIM_ANALYSIS_TUNE_NETWORK_TRIALS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/schedule_log.h"
#include "sim/analysis/tune/judge_pool.h"
#include "sim/analysis/tune/network_state.h"
#include "sim/analysis/tune/trial_log.h"

namespace vta::sim {

// A trial of moves, at least one and of different tasks, without network.
Trial trial_of(const std::vector<Move>& moves, const NetworkState& state,
               const std::string& neighbours);

class NetworkTrials {
 public:
  struct Request {
    Trial trial;
    bool is_from_log = false;
    std::optional<JudgePool::Measurement> measurement;  // none: in the log
  };

  // All outlive this.
  NetworkTrials(const NetworkState& state, const std::string& network, JudgePool& pool,
                TrialLog& log)
      : state_(state), network_(network), pool_(pool), log_(log) {}

  // `trial`: of the moves. The log answers, or a thread; `place` is among the measurements that
  // wait.
  Request request(const std::vector<Move>& moves, Trial trial, JudgePool::Place place);

  // Likewise, of several moves, in the layers of a window only.
  Request request_in_window(const std::vector<Move>& moves, Trial trial, lower::LayerRange window);

  // The cycles with the moves, of the network or the window. The network's count from the cycles of
  // the state, which must be the same as at the request. Errors: as Judge::cycles() and
  // TrialLog::append().
  uint64_t finish(Request& request);

 private:
  Request open(const std::vector<Move>& moves, Trial trial, lower::LayerRange window,
               JudgePool::Place place);

  const NetworkState& state_;
  const std::string network_;
  JudgePool& pool_;
  TrialLog& log_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_NETWORK_TRIALS_H_
