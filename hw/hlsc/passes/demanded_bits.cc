// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/demanded_bits.h"

#include <algorithm>

#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::passes {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

class DemandedBits {
 public:
  DemandedBits(const ir::Process& process, Slices slices)
      : process_(process),
        slices_(slices),
        demanded_(process.ops.size(), 0),
        phis_(process.ops.size(), nullptr) {}

  std::vector<uint32_t> run() {
    roots();
    while (!work_.empty()) {
      const ValueId value = work_.back();
      work_.pop_back();
      if (const ir::LoopPhi* phi = phis_[value]; phi != nullptr) {
        demand(phi->init, demanded_[value]);
        demand(phi->next, demanded_[value]);
      } else {
        of_operands(process_.ops[value], demanded_[value]);
      }
    }
    return demanded_;
  }

 private:
  uint32_t width(ValueId value) const { return process_.ops[value].width; }

  void demand(ValueId value, uint32_t bits) {
    bits = std::min(bits, width(value));
    if (bits <= demanded_[value]) return;
    demanded_[value] = bits;
    work_.push_back(value);
  }
  void demand_all(ValueId value) { demand(value, width(value)); }

  void roots() {
    const auto root = [&](ValueId value) {
      const Op& op = process_.ops[value];
      if (ir::is_pure(op.opcode)) return;
      for (ValueId operand : op.operands) demand_all(operand);
    };
    ir::walk(process_.body, root, [&](const ir::Loop& loop) {
      demand_all(loop.predicate);
      demand_all(loop.condition);
      for (const ir::LoopPhi& phi : loop.phis) phis_[phi.phi] = &phi;
    });
  }

  // Demands the bits of the operands that the lowest `bits` bits of the result depend on.
  void of_operands(const Op& op, uint32_t bits) {
    switch (op.opcode) {
      case Opcode::kAdd:
      case Opcode::kSub:
      case Opcode::kMul:
      case Opcode::kSum:
      case Opcode::kOr:
      case Opcode::kXor:
      case Opcode::kZext:
      case Opcode::kSext:
      case Opcode::kStage:
      case Opcode::kLate:
        return of_each(op, 0, bits);
      case Opcode::kAnd:
        return of_and(op, bits);
      case Opcode::kSelect:
        demand_all(op.operands[0]);
        return of_each(op, 1, bits);
      case Opcode::kShl:
        demand(op.operands[0], bits);
        return demand_all(op.operands[1]);
      case Opcode::kSlice:
        if (slices_ == Slices::kDemand) demand(op.operands[0], op.offset + bits);
        return;
      case Opcode::kConcat:
        return of_concat(op, bits);
      case Opcode::kConstant:
      case Opcode::kPhi:
      case Opcode::kLshr:
      case Opcode::kAshr:
      VTA_HLSC_CASES_OF_COMPARISONS:
      case Opcode::kLane:
      case Opcode::kReverse:
      VTA_HLSC_CASES_OF_EFFECTS:
        return of_each(op, 0, ~uint32_t{0});
    }
  }
  void of_each(const Op& op, size_t first, uint32_t bits) {
    for (size_t i = first; i < op.operands.size(); ++i) demand(op.operands[i], bits);
  }
  void of_and(const Op& op, uint32_t bits) {
    const Op& mask = process_.ops[op.operands[1]];
    if (mask.opcode == Opcode::kConstant) bits = std::min(bits, mask.constant.getActiveBits());
    of_each(op, 0, bits);
  }
  void of_concat(const Op& op, uint32_t bits) {
    uint32_t at = 0;
    for (ValueId part : op.operands) {
      if (at < bits) demand(part, bits - at);
      at += width(part);
    }
  }

  const ir::Process& process_;
  Slices slices_;
  std::vector<uint32_t> demanded_;
  std::vector<const ir::LoopPhi*> phis_;
  std::vector<ValueId> work_;
};

}  // namespace

std::vector<uint32_t> demanded_bits(const ir::Process& process, Slices slices) {
  return DemandedBits(process, slices).run();
}

}  // namespace vta::hlsc::passes
