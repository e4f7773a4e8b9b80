// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/sync_constraints.h"

#include <fmt/format.h>

#include "hw/hlsc/schedule/operation_text.h"

namespace vta::hlsc::schedule {

using ir::Op;
using ir::ValueId;

SyncConstraints::SyncConstraints(const ir::Design& design, const ir::Process& process,
                                 uint32_t interval, const std::set<ir::ObjectId>& shared,
                                 BodyStages& stages)
    : design_(design), process_(process), interval_(interval), stages_(stages) {
  for (ValueId value : stages.order()) {
    const Op& op = process.ops[value];
    if (ir::accesses_memory(op.opcode) && shared.contains(op.object)) accesses_.push_back(value);
    if (ir::may_wait(op.opcode)) (ir::takes(op.opcode) ? takes_ : gives_).push_back(value);
  }
}

bool SyncConstraints::delay() {
  bool changed = false;
  for (ValueId access : accesses_) {
    for (ValueId gives : gives_) changed |= delay(access, gives);
    for (ValueId takes : takes_) changed |= delay(takes, access);
  }
  return changed;
}

// `second` belongs to the next iteration.
bool SyncConstraints::delay(ValueId first, ValueId second) {
  const uint32_t from = stages_.stage(first), to = stages_.stage(second);
  if (from <= to + interval_) return false;
  return stages_.delay_for_interval(second, from - interval_, [&] {
    return BodyStages::Refusal{
        process_.ops[second].location,
        fmt::format("'{}' of an iteration would come before '{}' of the previous one",
                    operation_text(design_, process_.ops[second]),
                    operation_text(design_, process_.ops[first])),
        from - to};
  });
}

}  // namespace vta::hlsc::schedule
