// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/counter_comparison.h"

#include <algorithm>
#include <map>
#include <set>

#include "hw/hlsc/schedule/counter_operations.h"

namespace vta::hlsc::emit {

using ir::LoopPhi;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

constexpr uint32_t kMinBits = 8;   // narrower comparisons are fast enough
constexpr uint32_t kMaxBits = 63;  // steps are uint64_t

class Finder {
 public:
  Finder(const ir::Process& process, const std::vector<const ir::Loop*>& levels,
         const ir::Loop& level)
      : process_(process), level_(level) {
    for (const ir::Loop* loop : levels) {
      for (const LoopPhi& phi : loop->phis) counted_.insert(phi.phi);
    }
    schedule::for_each_counter_operation(levels, [&](ValueId value) { counted_.insert(value); });
    for (const ir::Item& item : levels.back()->body) counted_.insert(std::get<ValueId>(item));
  }

  // In the condition or a term of it.
  std::optional<CounterComparison> find(ValueId condition) const {
    const Op& op = process_.ops[condition];
    if (op.opcode == Opcode::kUlt) return comparison(condition);
    if (op.opcode != Opcode::kAnd) return std::nullopt;
    const auto found = find(op.operands[0]);
    return found ? found : find(op.operands[1]);
  }

 private:
  std::optional<CounterComparison> comparison(ValueId compare) const {
    const Op& op = process_.ops[compare];
    if (counted_.contains(op.operands[1])) return std::nullopt;
    for (const LoopPhi& phi : level_.phis) {
      const uint32_t bits = process_.ops[phi.phi].width;
      if (phi.phi != op.operands[0] || counted_.contains(phi.init)) continue;
      if (bits < kMinBits || bits > kMaxBits) continue;
      const std::optional<uint64_t> step = step_of(phi);
      if (step) return CounterComparison{compare, phi.phi, *step};
    }
    return std::nullopt;
  }

  // The step of phi.next = phi + step, which may be the low bits of a wider sum.
  std::optional<uint64_t> step_of(const LoopPhi& phi) const {
    const uint32_t bits = process_.ops[phi.phi].width;
    const Op* next = &process_.ops[phi.next];
    if (next->opcode == Opcode::kSlice && next->offset == 0)
      next = &process_.ops[next->operands[0]];
    if (next->opcode != Opcode::kAdd) return std::nullopt;
    for (size_t i = 0; i < 2; ++i) {
      const Op& step = process_.ops[next->operands[1 - i]];
      if (is_counter(next->operands[i], phi.phi) && step.opcode == Opcode::kConstant)
        return step.constant.zextOrTrunc(bits).getZExtValue();
    }
    return std::nullopt;
  }
  bool is_counter(ValueId value, ValueId counter) const {
    const bool extended = process_.ops[value].opcode == Opcode::kZext;
    return (extended ? process_.ops[value].operands[0] : value) == counter;
  }

  const ir::Process& process_;
  const ir::Loop& level_;
  std::set<ValueId> counted_;  // what the nest computes
};

// At most the value, whatever its operands are. Selects may share operands, so bounds are kept.
class LowerBounds {
 public:
  explicit LowerBounds(const ir::Process& process) : process_(process) {}

  llvm::APInt of(ValueId value) {
    const auto found = known_.find(value);
    return found != known_.end() ? found->second
                                 : known_.emplace(value, bound(value)).first->second;
  }

 private:
  llvm::APInt bound(ValueId value) {
    const Op& op = process_.ops[value];
    if (op.opcode == Opcode::kConstant) return op.constant;
    if (op.opcode == Opcode::kZext) return of(op.operands[0]).zext(op.width);
    if (op.opcode != Opcode::kSelect) return llvm::APInt(op.width, 0);
    const llvm::APInt a = of(op.operands[1]), b = of(op.operands[2]);
    return a.ult(b) ? a : b;
  }

  const ir::Process& process_;
  std::map<ValueId, llvm::APInt> known_;
};

}  // namespace

std::optional<CounterComparison> counter_comparison(const ir::Process& process,
                                                    const std::vector<const ir::Loop*>& levels,
                                                    const ir::Loop& level) {
  return Finder(process, levels, level).find(level.condition);
}

bool always_starts(const ir::Process& process, const ir::Loop& level) {
  const Op& compare = process.ops[level.condition];
  if (compare.opcode != Opcode::kUlt) return false;
  return std::ranges::any_of(level.phis, [&](const LoopPhi& phi) {
    const Op& init = process.ops[phi.init];
    return phi.phi == compare.operands[0] && init.opcode == Opcode::kConstant &&
           init.constant.ult(LowerBounds(process).of(compare.operands[1]));
  });
}

}  // namespace vta::hlsc::emit
