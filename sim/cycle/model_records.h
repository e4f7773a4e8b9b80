// SPDX-License-Identifier: Apache-2.0
//
// Collects the logs of one run of a cycle model and converts them to a RunTrace.
#ifndef VTA_SIM_CYCLE_MODEL_RECORDS_H_
#define VTA_SIM_CYCLE_MODEL_RECORDS_H_

#include <array>

#include "sim/cycle/process_times.h"
#include "sim/process_network/core_dram.h"
#include "sim/process_network/records.h"
#include "sim/timed/run_trace.h"

namespace vta::sim {

class ModelRecords {
 public:
  // Call before the run; all arguments must live until finish().
  template <class Model>
  void attach(Model& m, process_network::CoreDram& dram, RunTrace& trace) {
#define VTA_STATUS(process, status)                                  \
  m.log_register_##status##_0 = &statuses_[kProcess_##process].busy; \
  m.log_register_##status##_1 = &statuses_[kProcess_##process].index;
#define VTA_TOKENS(queue, from, to) m.stream_##queue.log = &tokens_[kTokens_##queue];
#include "hw/core/processes.def"
    dram.count_beats(trace.beats);
  }
  // Call after the run.
  void finish(const ProcessTimes& times, RunTrace& trace);

 private:
  struct StatusLog {
    process_network::RegisterLog busy, index;
  };
  static std::vector<RunTrace::Work> work_of(const StatusLog& log, uint64_t cycles);

  std::array<StatusLog, kNumProcesses> statuses_;
  std::array<process_network::TokenLog, kNumTokenQueues> tokens_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_MODEL_RECORDS_H_
