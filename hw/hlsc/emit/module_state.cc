// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/module_state.h"

namespace vta::hlsc::emit {

using ir::Opcode;
using ir::ValueId;

namespace {

// Wires only, no logic: computed again from its operand, which is kept instead, unless that is a
// slice of a very wide word.
bool is_free(const ir::Process& process, const ir::Op& op) {
  constexpr uint32_t kMaxWordBits = 512;
  if (op.opcode == Opcode::kZext || op.opcode == Opcode::kSext) return true;
  return op.opcode == Opcode::kSlice && process.ops[op.operands[0]].width <= kMaxWordBits;
}

}  // namespace

Expression ModuleState::outside_value(ValueId value) {
  const ir::Op& it = op(value);
  if (it.opcode == Opcode::kPhi) return phi_register(value);
  if (it.opcode == Opcode::kInputRead) return object_net(it);
  // Values of a nest's head that are used after the nest are computed from its counters.
  if (ir::is_pure(it.opcode) && !places.contains(value)) return {};
  if (it.opcode == Opcode::kRegisterRead && !places.contains(value)) return object_net(it);
  if (is_free(process, it)) return {};
  demands.capture(value);
  return capture_register(value);
}

Expression ModuleState::state_value(const State& at, ValueId value) {
  const ir::Op& op = this->op(value);
  const auto place = places.find(value);
  if (place == places.end()) return outside_value(value);
  const bool here = place->second == at;
  switch (op.opcode) {
    case Opcode::kRamRead:
      if (place->second.sequence == at.sequence && place->second.step + 1 == at.step)
        return word(value);
      break;
    case Opcode::kRegisterRead:
      if (here) return object_net(op);
      break;
    case Opcode::kStreamRead:
    case Opcode::kReadBeat:
      if (here) return ports.item(op);
      break;
    VTA_HLSC_CASES_OF_PURE:
      if (here) return {};
      break;
    case Opcode::kRamWrite:
    case Opcode::kRegisterWrite:
    case Opcode::kInputRead:
    case Opcode::kStreamWrite:
    case Opcode::kReadRequest:
    case Opcode::kWriteRequest:
    case Opcode::kWriteBeat:
    case Opcode::kWriteWait:
    case Opcode::kHalt:
      break;
  }
  return outside_value(value);
}

Expression ModuleState::word(ValueId read) const {
  const bool shared = rams.at(this->op(read).object).word_may_change(process_index);
  return rtl::net(object_name(read) + (shared ? "_fsm_q" : "_rq"), this->op(read).width);
}

std::optional<State> ModuleState::captured_at(ValueId value) const {
  const auto place = places.find(value);
  if (place == places.end()) return {};
  // The word of a RAM is available a state after its read.
  const uint32_t late = op(value).opcode == Opcode::kRamRead ? 1 : 0;
  return State{place->second.sequence, place->second.step + late};
}

Expression ModuleState::predicate(Context& context, ValueId value) const {
  return ir::is_constant(process, value, 1) ? Expression() : context.wire(value);
}

}  // namespace vta::hlsc::emit
