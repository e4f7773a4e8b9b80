// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/delay.h"

#include <algorithm>
#include <bit>

namespace vta::hlsc::schedule {

using ir::DelayClass;
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
  switch (ir::info(op.opcode).delay) {
    case DelayClass::kWire:
      return 0;
    case DelayClass::kLogic:  // a share of a LUT
      return process.ops[op.operands[1]].opcode == Opcode::kConstant ? 0 : kLutNs * 0.6;
    case DelayClass::kMultiplexer:
      return kLutNs * 0.8;
    case DelayClass::kLaneMultiplexer:
      return kLutNs * 1.5;
    case DelayClass::kAdder:
      return adder_ns(op.width);
    case DelayClass::kAdderTree:  // three terms an adder
      return adder_ns(op.width) * 0.5 * std::bit_width(op.operands.size());
    case DelayClass::kMultiplier:
      return multiplier_ns(process, op);
    case DelayClass::kShifter:
      return shifter_ns(process, op);
    case DelayClass::kComparator:
      return 0.9 + 0.02 * process.ops[op.operands[0]].width;
    case DelayClass::kRegister:
      return kRegisterNs;
    case DelayClass::kStream:
      return kStreamNs;
  }
  return 0;
}

}  // namespace vta::hlsc::schedule
