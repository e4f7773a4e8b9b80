// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/ir.h"

#include <utility>

namespace vta::hlsc::ir {

namespace {

constexpr std::optional<ObjectKind> kNoObjectKind = std::nullopt;

// In the order of the enumeration, which comes from the same lines.
constexpr OpcodeInfo kInfo[] = {
#define VTA_HLSC_OPCODE(name, mnemonic, operands, widths, effect, object, commutes, delay, \
                        channel)                                                           \
  {mnemonic, operands, Widths::widths,    Effect::effect,                                  \
   object,   commutes, DelayClass::delay, Channel::channel},
#include "hw/hlsc/ir/opcodes.def"
};

}  // namespace

const OpcodeInfo& info(Opcode opcode) { return kInfo[static_cast<size_t>(opcode)]; }

const char* mnemonic(Opcode opcode) { return info(opcode).mnemonic; }

int num_operands(Opcode opcode) { return info(opcode).operands; }

bool is_pure(Opcode opcode) { return info(opcode).effect == Effect::kNone; }

bool is_predicated(Opcode opcode) { return !is_pure(opcode); }

bool has_object(Opcode opcode) { return info(opcode).object.has_value(); }

bool may_wait(Opcode opcode) {
  switch (info(opcode).effect) {
    case Effect::kTake:
    case Effect::kGive:
    case Effect::kEnd:
      return true;
    case Effect::kNone:
    case Effect::kRead:
    case Effect::kWrite:
      return false;
  }
  return false;
}

bool accesses_channel(Opcode opcode) { return info(opcode).channel != Channel::kNoChannel; }

bool takes(Opcode opcode) { return info(opcode).effect == Effect::kTake; }

bool accesses_memory(Opcode opcode) {
  const std::optional<ObjectKind> object = info(opcode).object;
  return object == ObjectKind::kRam || object == ObjectKind::kRegister;
}

bool is_removable(Opcode opcode) { return is_pure(opcode) || info(opcode).effect == Effect::kRead; }

bool is_combinational(Opcode opcode) {
  return is_removable(opcode) && info(opcode).object != ObjectKind::kRam;
}

ValueId add_op(Process& process, Op op) {
  process.ops.push_back(std::move(op));
  return static_cast<ValueId>(process.ops.size() - 1);
}

bool is_constant(const Process& process, ValueId value, uint64_t expected) {
  const Op& op = process.ops[value];
  return op.opcode == Opcode::kConstant && op.constant == expected;
}

bool has_head(const Process& process, const Loop& loop) {
  return !loop.head.empty() || !is_constant(process, loop.condition, 1);
}

}  // namespace vta::hlsc::ir
