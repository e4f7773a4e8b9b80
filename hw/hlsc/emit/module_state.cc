// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/module_state.h"

namespace vta::hlsc::emit {

using ir::Opcode;
using ir::ValueId;

namespace {

// Wires only: not worth a register of their own.
bool is_free(const ir::Process& process, const ir::Op& op) {
  constexpr uint32_t kWidestWord = 512;
  if (op.opcode == Opcode::kZext || op.opcode == Opcode::kSext) return true;
  return op.opcode == Opcode::kSlice && process.ops[op.operands[0]].width <= kWidestWord;
}

}  // namespace

Expression ModuleState::outside_value(ValueId value) {
  const ir::Op& it = op(value);
  if (it.opcode == Opcode::kPhi) return phi_register(value);
  if (it.opcode == Opcode::kInputRead) return object_net(it);
  // What a nest's head exports is computed from its counters.
  if (ir::is_pure(it.opcode) && !places.contains(value)) return {};
  if (it.opcode == Opcode::kRegisterRead && !places.contains(value)) return object_net(it);
  if (is_free(process, it)) return {};
  demands.capture(value);
  return capture_register(value);
}

bool ModuleState::is_captured_in(ValueId value, const State& at) const {
  const auto place = places.find(value);
  if (place == places.end() || place->second.sequence != at.sequence) return false;
  // The word of a RAM is there a state after its read.
  const uint32_t late = op(value).opcode == Opcode::kRamRead ? 1 : 0;
  return place->second.step + late == at.step;
}

Expression ModuleState::predicate(Context& context, ValueId value) const {
  return ir::is_constant(process, value, 1) ? Expression() : context.wire(value);
}

}  // namespace vta::hlsc::emit
