// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/check.h"

#include "base/errors/error.h"
#include "hw/hlsc/passes/nest.h"
#include "hw/hlsc/schedule/rules.h"

namespace vta::hlsc::schedule {
namespace {

void check_nest(const Checked& checked, const ir::Loop& loop, const passes::NestLoops& levels) {
  const auto found = checked.schedule.nests.find(&loop);
  if (found == checked.schedule.nests.end() || found->second.levels != levels.levels)
    checked.refuse("complete", loop.location, "loop " + loop.name + " is not scheduled as a nest");
  check_body(checked, found->second);
}

void check_loops(const Checked& checked, const ir::Sequence& items) {
  check_sequence(checked, items);
  for (const ir::Item& item : items) {
    const auto* held = std::get_if<std::unique_ptr<ir::Loop>>(&item);
    if (held == nullptr) continue;
    const ir::Loop& loop = **held;
    const passes::NestLoops nest = passes::engine_of(checked.process, loop);
    if (!nest.levels.empty()) {
      check_nest(checked, loop, nest);
      continue;
    }
    if (checked.schedule.nests.contains(&loop))
      checked.refuse("complete", loop.location, "loop " + loop.name + " cannot be a nest");
    check_loops(checked, loop.head);
    check_loops(checked, loop.body);
  }
}

}  // namespace

void check(const ir::Design& design, const Schedule& schedule) {
  if (schedule.processes.size() != design.processes.size()) {
    fail(ErrorCode::kInvalidArgument, "a schedule of {} processes for the {} of design {}",
         schedule.processes.size(), design.processes.size(), design.name);
  }
  for (size_t i = 0; i < design.processes.size(); ++i) {
    const ir::Process& process = design.processes[i];
    const Checked checked{design, process, schedule.processes[i],
                          schedule.options.period_ns - schedule.options.margin_ns};
    if (checked.schedule.step.size() != process.ops.size())
      checked.refuse("complete", process.location, "it is the schedule of another process");
    check_data(checked);
    check_loops(checked, process.body);
  }
}

}  // namespace vta::hlsc::schedule
