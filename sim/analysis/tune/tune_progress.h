// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_ANALYSIS_TUNE_TUNE_PROGRESS_H_
#define VTA_SIM_ANALYSIS_TUNE_TUNE_PROGRESS_H_

#include <cstddef>
#include <cstdint>

namespace vta::sim {

// Progress of the task that is being tuned, or of a round of the pass over the whole network.
struct TuneProgress {
  enum class What { kTask, kPass };
  What what = What::kTask;
  size_t number = 0, count = 0;          // of the task or round, from 1 on, and of all
  uint64_t macs = 0;                     // of the layer and its neighbours; of the network
  uint64_t cycles = 0, best_cycles = 0;  // of these: the last measurement, and the least
  uint64_t trial = 0, trials = 0;
  double seconds = 0;  // for this task or round
  bool is_done = false;
};

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_TUNE_PROGRESS_H_
