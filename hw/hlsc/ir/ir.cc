// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/ir.h"

#include <utility>

namespace vta::hlsc::ir {

const char* mnemonic(Opcode opcode) {
  static constexpr const char* kNames[] = {
#define VTA_HLSC_NAME(name, text, operands) text,
      VTA_HLSC_OPCODES(VTA_HLSC_NAME)
#undef VTA_HLSC_NAME
  };
  return kNames[static_cast<size_t>(opcode)];
}

int num_operands(Opcode opcode) {
  static constexpr int kCounts[] = {
#define VTA_HLSC_COUNT(name, text, operands) operands,
      VTA_HLSC_OPCODES(VTA_HLSC_COUNT)
#undef VTA_HLSC_COUNT
  };
  return kCounts[static_cast<size_t>(opcode)];
}

bool is_pure(Opcode opcode) { return opcode <= Opcode::kPhi; }

bool is_predicated(Opcode opcode) { return !is_pure(opcode); }

bool has_object(Opcode opcode) { return is_predicated(opcode) && opcode != Opcode::kHalt; }

bool may_wait(Opcode opcode) { return opcode >= Opcode::kStreamRead; }

bool takes(Opcode opcode) {
  return opcode == Opcode::kStreamRead || opcode == Opcode::kReadBeat ||
         opcode == Opcode::kWriteWait;
}

bool accesses_memory(Opcode opcode) {
  return opcode >= Opcode::kRamRead && opcode <= Opcode::kRegisterWrite;
}

ValueId add_op(Process& process, Op op) {
  process.ops.push_back(std::move(op));
  return static_cast<ValueId>(process.ops.size() - 1);
}

ValueId add_constant(Process& process, uint32_t width, uint64_t value) {
  Op op;
  op.width = width;
  op.constant = llvm::APInt(width, value);
  return add_op(process, std::move(op));
}

bool is_constant(const Process& process, ValueId value, uint64_t expected) {
  const Op& op = process.ops[value];
  return op.opcode == Opcode::kConstant && op.constant == expected;
}

}  // namespace vta::hlsc::ir
