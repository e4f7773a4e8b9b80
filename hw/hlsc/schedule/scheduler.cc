// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/scheduler.h"

#include <algorithm>

#include "base/errors/error.h"
#include "hw/hlsc/schedule/counter_operations.h"
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

constexpr const char* kOfCounters =
    "; it computes the counters of a pipelined loop, which have no stages: use narrower counters, "
    "or "
    "compute it in the body of the loop";

constexpr const char* kOfOthers = "; it cannot be split further: use a longer period";

class SlowOperations {
 public:
  SlowOperations(const ir::Design& design, const ir::Process& process, const Options& options)
      : design_(design),
        process_(process),
        options_(options),
        budget_ns_(options.period_ns - options.margin_ns) {}

  // An operation starts a step if it does not fit the rest of one; this one does not fit a whole
  // step.
  void refuse(const ProcessSchedule& schedule) const {
    std::set<ir::ValueId> of_counters;
    for (const auto& [loop, nest] : schedule.nests)
      add_counter_values(process_, nest.levels, of_counters);
    for (ir::ValueId value = 0; value < process_.ops.size(); ++value) {
      require(process_.ops[value], slowest_ns(process_.ops[value], value, schedule),
              of_counters.contains(value) ? kOfCounters : kOfOthers);
    }
    for (const auto& [loop, nest] : schedule.nests) {
      for_each_counter_operation(nest.levels, [&](ir::ValueId value) {
        const ir::Op& op = process_.ops[value];
        if (ir::is_pure(op.opcode)) require(op, kRegisterNs + delay_ns(process_, op), kOfCounters);
      });
    }
  }

 private:
  void require(const ir::Op& op, double needed_ns, const char* cure) const {
    constexpr double kRounding = 1e-6;
    if (needed_ns <= budget_ns_ + kRounding) return;
    fail(ErrorCode::kInvalidArgument,
         "{}process {}: {} takes {:.1f} ns; a clock period of {:.1f} ns leaves {:.1f} ns{}",
         place_prefix(op.location), process_.name, operation_text(design_, op), needed_ns,
         options_.period_ns, budget_ns_, cure);
  }

  const ir::Design& design_;
  const ir::Process& process_;
  const Options& options_;
  const double budget_ns_;
};

}  // namespace

Schedule schedule(const ir::Design& design, const Options& options) {
  Schedule result;
  result.options = options;
  for (const ir::Process& process : design.processes) {
    ProcessSchedule& scheduled = result.processes.emplace_back();
    scheduled.step.assign(process.ops.size(), kUnscheduled);
    scheduled.ready_ns.assign(process.ops.size(), 0);
    schedule_sequences(design, process, options, scheduled);
    SlowOperations(design, process, options).refuse(scheduled);
  }
  return result;
}

}  // namespace vta::hlsc::schedule
