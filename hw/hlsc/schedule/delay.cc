// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/delay.h"

#include <algorithm>
#include <bit>

namespace vta::hlsc::schedule {

using ir::Opcode;

namespace {

constexpr double kLutNs = 0.8;  // one level with its route

double adder_ns(uint32_t bits) { return 1.2 + 0.03 * bits; }

double multiplier_ns(const ir::Process& process, const ir::Op& op) {
  const uint32_t a = process.ops[op.operands[0]].width, b = process.ops[op.operands[1]].width;
  if (std::max(a, b) <= 25 && std::min(a, b) <= 18) return 4.2;  // one DSP48E1
  return 7.5;                                                    // a row of them
}

double shifter_ns(const ir::Process& process, const ir::Op& op) {
  const ir::Op& amount = process.ops[op.operands[1]];
  if (amount.opcode == Opcode::kConstant) return 0;
  return kLutNs * std::min(amount.width, 6u) / 1.5;
}

}  // namespace

double delay_ns(const ir::Process& process, const ir::Op& op) {
  switch (op.opcode) {
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:  // a share of a LUT
      return process.ops[op.operands[1]].opcode == Opcode::kConstant ? 0 : kLutNs * 0.6;
    case Opcode::kSelect:
      return kLutNs * 0.8;
    case Opcode::kAdd:
    case Opcode::kSub:
      return adder_ns(op.width);
    case Opcode::kSum:  // three terms an adder
      return adder_ns(op.width) * 0.5 * std::bit_width(op.operands.size());
    case Opcode::kMul:
      return multiplier_ns(process, op);
    case Opcode::kShl:
    case Opcode::kLshr:
    case Opcode::kAshr:
      return shifter_ns(process, op);
    case Opcode::kEq:
    case Opcode::kNe:
    case Opcode::kUlt:
    case Opcode::kUle:
    case Opcode::kSlt:
    case Opcode::kSle:
      return 0.9 + 0.02 * process.ops[op.operands[0]].width;
    case Opcode::kLane:
      return kLutNs * 1.5;
    case Opcode::kStreamRead:
    case Opcode::kReadBeat:
      return kStreamNs;
    case Opcode::kRegisterRead:
    case Opcode::kInputRead:
      return kRegisterNs;
    default:
      return 0;
  }
}

}  // namespace vta::hlsc::schedule
