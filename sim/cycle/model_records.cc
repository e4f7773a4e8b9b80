// SPDX-License-Identifier: Apache-2.0
#include "sim/cycle/model_records.h"

#include <utility>

namespace vta::sim {

std::vector<RunTrace::Work> ModelRecords::work_of(const StatusLog& log, uint64_t cycles) {
  std::vector<RunTrace::Work> work;
  bool busy = false;
  size_t next_index = 0;
  for (const process_network::RegisterWrite& write : log.busy) {
    if ((write.value != 0) == busy) continue;
    busy = !busy;
    if (!busy) {
      work.back().end = write.at + 1;
      continue;
    }
    while (next_index < log.index.size() && log.index[next_index].at <= write.at) ++next_index;
    const uint64_t index = next_index == 0 ? 0 : log.index[next_index - 1].value;
    work.push_back({write.at, cycles, static_cast<uint32_t>(index)});
  }
  return work;
}

void ModelRecords::finish(const ProcessTimes& times, RunTrace& trace) {
  trace.cycles = times.cycles();
  times.record(trace);
  for (int process = 0; process < kNumProcesses; ++process)
    trace.processes[process].work = work_of(statuses_[process], times.cycles());
  for (int queue = 0; queue < kNumTokenQueues; ++queue) {
    trace.tokens[queue] = {std::move(tokens_[queue].pushes), std::move(tokens_[queue].pops)};
  }
}

}  // namespace vta::sim
