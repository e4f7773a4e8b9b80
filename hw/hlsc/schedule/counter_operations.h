// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_COUNTER_OPERATIONS_H_
#define VTA_HW_HLSC_SCHEDULE_COUNTER_OPERATIONS_H_

#include <set>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

// visit(ValueId) for each operation that a nest computes with its counters, in program order. They
// are in the heads of all levels, and in the bodies of all but the innermost.
template <class Visit>
void for_each_counter_operation(const std::vector<const ir::Loop*>& levels, Visit&& visit) {
  for (const ir::Loop* level : levels) {
    for (const ir::Sequence* items : {&level->head, &level->body}) {
      if (items == &level->body && level == levels.back()) continue;
      for (const ir::Item& item : *items) {
        if (const ir::ValueId* value = std::get_if<ir::ValueId>(&item)) visit(*value);
      }
    }
  }
}

// Adds all values that the next counters of a nest are computed from.
inline void add_counter_values(const ir::Process& process,
                               const std::vector<const ir::Loop*>& levels,
                               std::set<ir::ValueId>& values) {
  std::vector<ir::ValueId> open;
  for (const ir::Loop* level : levels)
    for (const ir::LoopPhi& phi : level->phis) open.push_back(phi.next);
  while (!open.empty()) {
    const ir::ValueId value = open.back();
    open.pop_back();
    if (!values.insert(value).second) continue;
    const auto& operands = process.ops[value].operands;
    open.insert(open.end(), operands.begin(), operands.end());
  }
}

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_COUNTER_OPERATIONS_H_
