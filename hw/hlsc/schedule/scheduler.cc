// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/scheduler.h"

#include "hw/hlsc/schedule/sequence_scheduler.h"

namespace vta::hlsc::schedule {

Schedule schedule(const ir::Design& design, const Options& options) {
  Schedule result;
  result.options = options;
  for (const ir::Process& process : design.processes) {
    ProcessSchedule& scheduled = result.processes.emplace_back();
    scheduled.step.assign(process.ops.size(), kUnscheduled);
    scheduled.ready_ns.assign(process.ops.size(), 0);
    schedule_sequences(design, process, options, scheduled);
  }
  return result;
}

}  // namespace vta::hlsc::schedule
