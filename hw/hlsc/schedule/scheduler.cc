// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/scheduler.h"

#include "hw/hlsc/schedule/operation_text.h"
#include "hw/hlsc/schedule/sequence_scheduler.h"
#include "runtime/base/error.h"

namespace vta::hlsc::schedule {
namespace {

// An operation starts a step if it does not fit the rest of one; this one does not fit a whole
// step.
void refuse_slow_operations(const ir::Design& design, const ir::Process& process,
                            const ProcessSchedule& schedule, const Options& options) {
  const double budget_ns = options.period_ns - options.margin_ns;
  for (ir::ValueId value = 0; value < process.ops.size(); ++value) {
    constexpr double kRounding = 1e-6;
    const ir::Op& op = process.ops[value];
    // A sum of many terms is a tree of additions, which nothing splits over more than two stages.
    if (op.opcode == ir::Opcode::kSum || schedule.ready_ns[value] <= budget_ns + kRounding)
      continue;
    fail(ErrorCode::kInvalidArgument,
         "{}process {}: {} takes {:.1f} ns; a clock period of {:.1f} ns leaves {:.1f} ns",
         place_prefix(op.location), process.name, operation_text(design, op),
         schedule.ready_ns[value], options.period_ns, budget_ns);
  }
}

}  // namespace

Schedule schedule(const ir::Design& design, const Options& options) {
  Schedule result;
  result.options = options;
  for (const ir::Process& process : design.processes) {
    ProcessSchedule& scheduled = result.processes.emplace_back();
    scheduled.step.assign(process.ops.size(), kUnscheduled);
    scheduled.ready_ns.assign(process.ops.size(), 0);
    schedule_sequences(design, process, options, scheduled);
    refuse_slow_operations(design, process, scheduled, options);
  }
  return result;
}

}  // namespace vta::hlsc::schedule
