// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/counted_loop.h"

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

std::optional<CountedLoop> CountedLoop::innermost(const NestBody& body, bool on_fast_path) {
  CountedLoop loop(body, *body.nest().levels.back());
  return loop.find(on_fast_path) ? std::optional(loop) : std::nullopt;
}

std::optional<CountedLoop> CountedLoop::around(const NestBody& body) {
  const auto& levels = body.nest().levels;
  if (levels.size() < 2) return std::nullopt;
  CountedLoop loop(body, *levels[levels.size() - 2]);
  return loop.find_steps() ? std::optional(loop) : std::nullopt;
}

// The counter is the phi that the condition compares.
bool CountedLoop::find_steps() {
  for (const ir::LoopPhi& phi : loop().phis) {
    if (!b_->text().is_computed(phi.phi)) continue;
    counter_ = &phi;
    if (counts(phi) && find_limit(loop().condition, true)) break;
    counter_ = nullptr;
  }
  if (counter_ == nullptr || (limit_value_.has_value() && is_in_nest(*b_, *limit_value_)))
    return false;
  for (const ir::LoopPhi& phi : loop().phis) {
    if (&phi == counter_ || !b_->text().is_computed(phi.phi)) continue;
    const auto more = summand(phi);
    if (!more.has_value()) return false;
    steps_.push_back({phi.phi, *more});
  }
  return true;
}

std::optional<ValueId> CountedLoop::summand(const ir::LoopPhi& phi) const {
  const Op& next = b_->text().op(phi.next);
  if (next.opcode != Opcode::kAdd) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    if (next.operands[i] == phi.phi && !is_in_nest(*b_, next.operands[1 - i]))
      return next.operands[1 - i];
  }
  return std::nullopt;
}

bool CountedLoop::find(bool on_fast_path) {
  for (const ir::LoopPhi& phi : loop().phis) {
    if (!b_->text().is_computed(phi.phi)) continue;
    if (counter_ != nullptr || !counts(phi)) return false;
    counter_ = &phi;
  }
  return counter_ != nullptr && find_limit(loop().condition, on_fast_path);
}

bool CountedLoop::counts(const ir::LoopPhi& phi) const {
  const ir::Process& process = b_->text().process();
  const Op& next = process.ops[phi.next];
  if (next.opcode != Opcode::kAdd) return false;
  return (next.operands[0] == phi.phi && ir::is_constant(process, next.operands[1], 1)) ||
         (next.operands[1] == phi.phi && ir::is_constant(process, next.operands[0], 1));
}

bool CountedLoop::find_limit(ValueId condition, bool on_fast_path) {
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
bool CountedLoop::find_power_of_two(const Op& condition) {
  if (condition.opcode != Opcode::kXor ||
      !ir::is_constant(b_->text().process(), condition.operands[1], 1))
    return false;
  const Op& bit = b_->text().op(condition.operands[0]);
  if (bit.opcode != Opcode::kSlice || bit.operands[0] != counter() || bit.width != 1) return false;
  if (bit.offset + 1 != b_->text().op(counter()).width || bit.offset > 32) return false;
  limit_ = fmt::format("{}u", uint64_t{1} << bit.offset);
  return true;
}

std::optional<llvm::APInt> CountedLoop::value_on_fast_path(ValueId value) const {
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

std::string CountedLoop::iterations_left() const {
  return fmt::format("static_cast<uint64_t>({}) - static_cast<uint64_t>({})", limit_,
                     b_->text().name(counter()));
}

std::string CountedLoop::advanced(const std::string& turns) const {
  return fmt::format("{0} = static_cast<bits<{1}>>({0} + static_cast<bits<{1}>>({2}));\n",
                     b_->text().name(counter()), b_->text().op(counter()).width, turns);
}

bool CountedLoop::is_in_head(ValueId value) const { return is_in(loop().head, value); }

bool CountedLoop::contains(ValueId value) const {
  return is_phi_of(loop(), value) || is_in_head(value) || b_->contains(value);
}

bool CountedLoop::has_invariant_bounds() const {
  return !is_in_nest(*b_, counter_->init) &&
         (!limit_value_.has_value() || !is_in_nest(*b_, *limit_value_));
}

}  // namespace vta::hlsc::model
