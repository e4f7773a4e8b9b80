// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/scheduler.h"

#include <algorithm>

#include "base/errors/error.h"
#include "hw/hlsc/schedule/delay.h"
#include "hw/hlsc/schedule/operation_text.h"
#include "hw/hlsc/schedule/sequence_scheduler.h"

namespace vta::hlsc::schedule {
namespace {

// When the result of an operation is available, in the step of which it needs most. A split sum
// needs most of the stage after its own, where partial sums become the sum, or of its own.
double slowest_ns(const ir::Op& op, ir::ValueId value, const ProcessSchedule& schedule) {
  const double ready_ns = schedule.ready_ns[value];
  if (!schedule.split_sums.contains(value)) return ready_ns;
  return std::max(ready_ns, split_sum_ns(op)->total_ns);
}

const char* cure_of(const ir::Op& op) {
  if (op.opcode != ir::Opcode::kSum) return "";
  return "; add fewer terms at a time, with an HLS_REGISTER or an HLS_STREAM between the parts, or "
         "narrower ones";
}

// An operation starts a step if it does not fit the rest of one; this one does not fit a whole
// step.
void refuse_slow_operations(const ir::Design& design, const ir::Process& process,
                            const ProcessSchedule& schedule, const Options& options) {
  const double budget_ns = options.period_ns - options.margin_ns;
  for (ir::ValueId value = 0; value < process.ops.size(); ++value) {
    constexpr double kRounding = 1e-6;
    const ir::Op& op = process.ops[value];
    const double needed_ns = slowest_ns(op, value, schedule);
    if (needed_ns <= budget_ns + kRounding) continue;
    fail(ErrorCode::kInvalidArgument,
         "{}process {}: {} takes {:.1f} ns; a clock period of {:.1f} ns leaves {:.1f} ns{}",
         place_prefix(op.location), process.name, operation_text(design, op), needed_ns,
         options.period_ns, budget_ns, cure_of(op));
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
