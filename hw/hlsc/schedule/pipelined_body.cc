// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/pipelined_body.h"

namespace vta::hlsc::schedule {

using ir::ValueId;

PipelinedBody::PipelinedBody(const ir::Process& process, const ProcessSchedule& schedule,
                             const ir::Loop& loop)
    : process_(process), schedule_(schedule) {
  for (const ir::Item& item : loop.body) order_.push_back(std::get<ValueId>(item));
  inside_.insert(order_.begin(), order_.end());
}

std::vector<ValueId> PipelinedBody::operations(uint32_t at) const {
  std::vector<ValueId> result;
  for (ValueId value : order_) {
    if (stage(value) == at) result.push_back(value);
  }
  return result;
}

uint32_t PipelinedBody::available(ValueId value) const {
  if (!contains(value)) return 0;
  if (is_split(value)) return stage(value) + 1;
  if (process_.ops[value].opcode != ir::Opcode::kRamRead) return stage(value);
  return word_stage(value) + (is_registered(value) ? 2 : 1);
}

}  // namespace vta::hlsc::schedule
