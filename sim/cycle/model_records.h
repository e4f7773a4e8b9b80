// SPDX-License-Identifier: Apache-2.0
//
// The logs of one run of a cycle model, and the RunTrace that they make.
#ifndef VTA_SIM_CYCLE_MODEL_RECORDS_H_
#define VTA_SIM_CYCLE_MODEL_RECORDS_H_

#include <array>

#include "sim/cycle/process_times.h"
#include "sim/network/core_dram.h"
#include "sim/network/records.h"
#include "sim/timed/run_trace.h"

namespace vta::sim {

class ModelRecords {
 public:
  // Before the run; all must live until finish().
  template <class Model>
  void attach(Model& m, network::CoreDram& dram, RunTrace& trace) {
#define VTA_STATUS(process, status)                                  \
  m.log_register_##status##_0 = &statuses_[kProcess_##process].busy; \
  m.log_register_##status##_1 = &statuses_[kProcess_##process].index;
#define VTA_TOKENS(queue, from, to) m.stream_##queue.log = &tokens_[kTokens_##queue];
#include "hw/core/processes.def"
    dram.count_beats(trace.beats);
  }
  // After it.
  void finish(const ProcessTimes& times, RunTrace& trace);

 private:
  struct StatusLog {
    network::RegisterLog busy, index;
  };
  static std::vector<RunTrace::Work> work_of(const StatusLog& log, uint64_t cycles);

  std::array<StatusLog, kNumProcesses> statuses_;
  std::array<network::TokenLog, kNumTokenQueues> tokens_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_MODEL_RECORDS_H_
