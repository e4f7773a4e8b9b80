// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/innermost_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/hlsc/ir/evaluate.h"

namespace vta::hlsc::model {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

bool is_in(const ir::Sequence& items, ValueId value) {
  return std::any_of(items.begin(), items.end(), [&](const ir::Item& item) {
    const ValueId* own = std::get_if<ValueId>(&item);
    return own != nullptr && *own == value;
  });
}

bool is_phi_of(const ir::Loop& loop, ValueId value) {
  return std::any_of(loop.phis.begin(), loop.phis.end(),
                     [&](const ir::LoopPhi& phi) { return phi.phi == value; });
}

}  // namespace

bool is_in_nest(const NestBody& body, ValueId value) {
  const auto& levels = body.nest().levels;
  return std::any_of(levels.begin(), levels.end(), [&](const ir::Loop* level) {
    return is_phi_of(*level, value) || is_in(level->head, value) || is_in(level->body, value);
  });
}

std::optional<InnermostLoop> InnermostLoop::of(const NestBody& body, bool on_fast_path) {
  InnermostLoop loop(body);
  return loop.find(on_fast_path) ? std::optional(loop) : std::nullopt;
}

bool InnermostLoop::find(bool on_fast_path) {
  for (const ir::LoopPhi& phi : loop().phis) {
    if (!b_->text().is_computed(phi.phi)) continue;
    if (counter_ != nullptr || !counts(phi)) return false;
    counter_ = &phi;
  }
  return counter_ != nullptr && find_limit(loop().condition, on_fast_path);
}

bool InnermostLoop::counts(const ir::LoopPhi& phi) const {
  const ir::Process& process = b_->text().process();
  const Op& next = process.ops[phi.next];
  if (next.opcode != Opcode::kAdd) return false;
  return (next.operands[0] == phi.phi && ir::is_constant(process, next.operands[1], 1)) ||
         (next.operands[1] == phi.phi && ir::is_constant(process, next.operands[0], 1));
}

bool InnermostLoop::find_limit(ValueId condition, bool on_fast_path) {
  const Op& op = b_->text().op(condition);
  if (op.opcode == Opcode::kAnd && on_fast_path) {
    for (size_t i = 0; i < 2; ++i) {
      const auto other = value_on_fast_path(op.operands[1 - i]);
      if (other.has_value() && other->isOne()) return find_limit(op.operands[i], on_fast_path);
    }
  }
  if (op.opcode != Opcode::kUlt || op.operands[0] != counter()) return find_power_of_two(op);
  if (contains(op.operands[1])) return false;
  const bool is_literal = b_->text().op(op.operands[1]).opcode == Opcode::kConstant;
  if (!is_literal) limit_value_ = op.operands[1];
  limit_ = b_->text().name(op.operands[1]);
  return true;
}

// A test of the top bit: a limit that is a power of two.
bool InnermostLoop::find_power_of_two(const Op& condition) {
  if (condition.opcode != Opcode::kXor ||
      !ir::is_constant(b_->text().process(), condition.operands[1], 1))
    return false;
  const Op& bit = b_->text().op(condition.operands[0]);
  if (bit.opcode != Opcode::kSlice || bit.operands[0] != counter() || bit.width != 1) return false;
  if (bit.offset + 1 != b_->text().op(counter()).width || bit.offset > 32) return false;
  limit_ = fmt::format("{}u", uint64_t{1} << bit.offset);
  return true;
}

std::optional<llvm::APInt> InnermostLoop::value_on_fast_path(ValueId value) const {
  const Op& op = b_->text().op(value);
  if (op.opcode == Opcode::kConstant) return op.constant;
  if (op.opcode == Opcode::kRegisterRead && b_->written_late_registers().contains(op.object))
    return llvm::APInt(op.width, 0);
  if (!ir::is_pure(op.opcode) || op.opcode == Opcode::kPhi) return std::nullopt;
  std::vector<llvm::APInt> operands;
  for (ValueId operand : op.operands) {
    const auto known = value_on_fast_path(operand);
    if (!known.has_value()) return std::nullopt;
    operands.push_back(*known);
  }
  if (op.opcode == Opcode::kLate) return operands[0];  // it has always been that value
  return ir::evaluate(op, operands);
}

std::string InnermostLoop::iterations_left() const {
  return fmt::format("static_cast<uint64_t>({}) - static_cast<uint64_t>({})", limit_,
                     b_->text().name(counter()));
}

std::string InnermostLoop::advanced(const std::string& turns) const {
  return fmt::format("{0} = static_cast<bits<{1}>>({0} + static_cast<bits<{1}>>({2}));\n",
                     b_->text().name(counter()), b_->text().op(counter()).width, turns);
}

bool InnermostLoop::is_in_head(ValueId value) const { return is_in(loop().head, value); }

bool InnermostLoop::contains(ValueId value) const {
  return is_phi_of(loop(), value) || is_in_head(value) || b_->contains(value);
}

bool InnermostLoop::has_invariant_bounds() const {
  return !is_in_nest(*b_, counter_->init) &&
         (!limit_value_.has_value() || !is_in_nest(*b_, *limit_value_));
}

}  // namespace vta::hlsc::model
