// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/nest_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/hlsc/bind/ram_hazards.h"

namespace vta::hlsc::model {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

NestBody::NestBody(ProcessText& text, const schedule::Nest& nest, size_t number)
    : PipelinedBody(text.process(), text.schedule(), *nest.levels.back()),
      t_(text),
      nest_(nest),
      number_(number) {}

std::vector<ValueId> NestBody::in_order() const {
  std::vector<ValueId> result;
  for (uint32_t at = 0; at < nest_.stages; ++at) {
    for (ValueId value : operations(at)) result.push_back(value);
  }
  return result;
}

std::vector<ValueId> NestBody::waiting_words(uint32_t at) const {
  std::vector<ValueId> result;
  for (ValueId value : order()) {
    if (is_late(value) && word_stage(value) == at) result.push_back(value);
  }
  return result;
}

bool NestBody::has_streams() const {
  return std::any_of(order().begin(), order().end(),
                     [&](ValueId value) { return ir::accesses_channel(t_.op(value).opcode); });
}

bool NestBody::waits_after_first_stage() const {
  return std::any_of(order().begin(), order().end(), [&](ValueId value) {
    if (ir::accesses_channel(t_.op(value).opcode) || t_.waits_for_port(t_.op(value)))
      return stage(value) > 0;
    return t_.op(value).opcode == Opcode::kRamRead &&
           (!hazards(value, stage(value)).empty() || !hazards(value, word_stage(value)).empty());
  });
}

std::set<ir::ObjectId> NestBody::written_late_registers() const {
  std::set<ir::ObjectId> registers;
  for (ValueId value : order()) {
    const Op& op = t_.op(value);
    if (op.opcode == Opcode::kRegisterWrite && t_.is_late_register(op.object))
      registers.insert(op.object);
  }
  return registers;
}

std::vector<NestBody::Hazard> NestBody::hazards(ValueId read, uint32_t at) const {
  std::vector<Hazard> result;
  for (ValueId value : order()) {
    const Op& other = t_.op(value);
    if (other.object != t_.op(read).object) continue;
    if (other.opcode == Opcode::kRamRead && at == stage(read) &&
        bind::waits_for_read(*this, read, value))
      result.push_back({stage(value), value});
    if (other.opcode != Opcode::kRamWrite || at != word_stage(read)) continue;
    const bind::StageRange pending = bind::pending_stages(*this, read, value);
    for (uint32_t older = pending.first; older < pending.end; ++older)
      result.push_back({older, value});
  }
  return result;
}

std::string NestBody::gap() const { return fmt::format("gap{}", number_); }

std::string line(const std::string& text) { return text.empty() ? "" : text + "\n"; }

}  // namespace vta::hlsc::model
