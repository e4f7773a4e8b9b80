// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/rewriter.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <utility>

#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/demanded_bits.h"
#include "hw/hlsc/passes/fold.h"

namespace vta::hlsc::passes {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

std::string key_of(const Op& op) {
  std::string key = fmt::format("{}:{}:{}:{}:{}", static_cast<int>(op.opcode), op.width, op.offset,
                                op.is_signed, op.object);
  for (ValueId operand : op.operands) key += fmt::format(",{}", operand);
  return key;
}

std::string key_of(const llvm::APInt& constant) {
  return fmt::format("{}:{}", constant.getBitWidth(), llvm::toString(constant, 16, false));
}

}  // namespace

Rewriter::Rewriter(ir::Process& process) : process_(process), builder_(process) {}

ValueId Rewriter::resolve(ValueId value) const {
  while (value < replacement_.size() && replacement_[value] != value) value = replacement_[value];
  return value;
}

bool Rewriter::run() {
  replacement_.resize(process_.ops.size());
  for (size_t i = 0; i < replacement_.size(); ++i) replacement_[i] = static_cast<ValueId>(i);
  share_constants();
  demanded_ = demanded_bits(process_, Slices::kDemand);
  demanded_whole_ = demanded_bits(process_, Slices::kIgnore);
  depth_.assign(process_.ops.size(), 0);
  Sequence items = std::move(process_.body);
  Sequence rebuilt;
  scopes_.push_back({&rebuilt, {}});
  sequence(items);
  scopes_.pop_back();
  process_.body = std::move(rebuilt);
  return changed_;
}

// Also of the operand of an extension, which a narrowed operation becomes.
void Rewriter::pass_on_demand(ValueId from, ValueId to) {
  for (;; to = op(to).operands[0]) {
    for (std::vector<uint32_t>* bits : {&demanded_, &demanded_whole_}) {
      if (bits->size() <= to) bits->resize(process_.ops.size(), 0);
      (*bits)[to] = std::max((*bits)[to], std::min((*bits)[from], width(to)));
    }
    if (!is(to, Opcode::kZext) && !is(to, Opcode::kSext)) return;
  }
}

void Rewriter::share_constants() {
  for (size_t i = 0; i < replacement_.size(); ++i) {
    if (process_.ops[i].opcode != Opcode::kConstant) continue;
    const auto value = static_cast<ValueId>(i);
    replacement_[i] = constants_.emplace(key_of(process_.ops[i].constant), value).first->second;
  }
}

void Rewriter::sequence(Sequence& items) {
  for (ir::Item& item : items) {
    if (const ValueId* value = ir::as_op(item)) {
      operation(*value);
    } else {
      loop(std::move(std::get<std::unique_ptr<ir::Loop>>(item)));
    }
  }
}

void Rewriter::operation(ValueId value) {
  for (ValueId& operand : process_.ops[value].operands) operand = resolve(operand);
  builder_.set_origin(process_.ops[value].location, process_.ops[value].name);
  if (!ir::is_pure(process_.ops[value].opcode)) return effect(value);
  const ValueId made = make(process_.ops[value]);
  replacement_[value] = made;
  pass_on_demand(value, made);
  const Op& now = process_.ops[made];
  if (now.opcode != process_.ops[value].opcode || now.width != process_.ops[value].width)
    changed_ = true;
}

void Rewriter::effect(ValueId value) {
  const Opcode opcode = process_.ops[value].opcode;
  if (ir::is_constant(process_, process_.ops[value].operands[0], 0)) {
    changed_ = true;
    const uint32_t width = process_.ops[value].width;
    if (width != 0) replacement_[value] = make_constant(llvm::APInt(width, 0));
    return;
  }
  const bool always = ir::is_combinational(opcode);  // registers and inputs may be read at any time
  const ValueId yes = always ? make_bit(true) : kNoValue;
  if (always) process_.ops[value].operands[0] = yes;
  size_t scope = scopes_.size() - 1;
  if (opcode == Opcode::kInputRead) {  // once, at the start of the process
    scope = 0;
    const auto [known, fresh] = scopes_[0].known.emplace(key_of(process_.ops[value]), value);
    replacement_[value] = known->second;
    if (!fresh) return;
  }
  depth_[value] = scope;
  scopes_[scope].out->emplace_back(value);
}

void Rewriter::loop(std::unique_ptr<ir::Loop> loop) {
  loop->predicate = resolve(loop->predicate);
  if (ir::is_constant(process_, loop->predicate, 0)) {
    changed_ = true;
    replace_exports(*loop);
    return;
  }
  for (ir::LoopPhi& phi : loop->phis) phi.init = resolve(phi.init);
  drop_invariant_phis(*loop);
  for (const ir::LoopPhi& phi : loop->phis) depth_[phi.phi] = scopes_.size();

  Sequence head = std::move(loop->head), body = std::move(loop->body);
  loop->head.clear();
  loop->body.clear();
  scopes_.push_back({&loop->head, {}});
  sequence(head);
  loop->condition = resolve(loop->condition);
  scopes_.back().out = &loop->body;
  sequence(body);
  scopes_.pop_back();
  for (ir::LoopPhi& phi : loop->phis) phi.next = resolve(phi.next);
  export_values(*loop);
  scopes_.back().out->emplace_back(std::move(loop));
}

// The exports of a loop that is never entered are unspecified: its phis take their initial values,
// the others any value.
void Rewriter::replace_exports(const ir::Loop& loop) {
  ir::for_each_export(loop, [&](ValueId value) {
    const uint32_t width = process_.ops[value].width;
    if (width != 0) replacement_[value] = make_constant(llvm::APInt(width, 0));
  });
  for (const ir::LoopPhi& phi : loop.phis) replacement_[phi.phi] = resolve(phi.init);
}

// The exports of a loop belong to the sequence around it.
void Rewriter::export_values(const ir::Loop& loop) {
  ir::for_each_export(loop, [&](ValueId value) { depth_[value] = scopes_.size() - 1; });
}

// Phis that always have their initial values.
void Rewriter::drop_invariant_phis(ir::Loop& loop) {
  std::erase_if(loop.phis, [&](const ir::LoopPhi& phi) {
    const ValueId next = resolve(phi.next);
    if (next != phi.phi && next != phi.init) return false;
    replacement_[phi.phi] = phi.init;
    changed_ = true;
    return true;
  });
}

size_t Rewriter::depth(ValueId value) const {
  return is_constant(value) || value >= depth_.size() ? 0 : depth_[value];
}

size_t Rewriter::depth_of_operands(const Op& op) const {
  size_t deepest = 0;
  for (ValueId operand : op.operands) deepest = std::max(deepest, depth(operand));
  return deepest;
}

ValueId Rewriter::append(Op op) {
  const size_t deepest = depth_of_operands(op);
  Scope& scope = scopes_[deepest];
  const auto [known, fresh] = scope.known.emplace(key_of(op), kNoValue);
  if (!fresh) return known->second;
  builder_.set_sequence(scope.out);
  const ValueId value = builder_.append(std::move(op));
  known->second = value;
  replacement_.push_back(value);
  depth_.resize(process_.ops.size(), 0);
  depth_[value] = deepest;
  return value;
}

ValueId Rewriter::make(Op op) {
  op.constant = llvm::APInt();
  if (ir::info(op.opcode).commutes) {
    const bool swap = is_constant(op.operands[0])
                          ? !is_constant(op.operands[1])
                          : op.operands[0] > op.operands[1] && !is_constant(op.operands[1]);
    if (swap) std::swap(op.operands[0], op.operands[1]);
  }
  // Nothing is folded twice: that would take exponential time in the depth of an expression.
  std::map<std::string, ValueId>& known = scopes_[depth_of_operands(op)].known;
  const std::string key = key_of(op);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const ValueId folded = fold(*this, op);
  if (folded == kNoValue) return append(std::move(op));
  known.emplace(key, folded);
  return folded;
}

ValueId Rewriter::make(Opcode opcode, uint32_t width, std::vector<ValueId> operands,
                       uint32_t offset) {
  return make(ir::make_op(opcode, width, std::move(operands), offset));
}

ValueId Rewriter::make_constant(const llvm::APInt& value) {
  const auto [known, fresh] = constants_.emplace(key_of(value), kNoValue);
  if (!fresh) return known->second;
  known->second = builder_.constant(value);
  replacement_.push_back(known->second);
  depth_.resize(process_.ops.size(), 0);
  return known->second;
}

ValueId Rewriter::make_not(ValueId bit) { return make(Opcode::kXor, 1, {bit, make_bit(true)}); }

ValueId Rewriter::make_slice(ValueId value, uint32_t offset, uint32_t width) {
  if (offset == 0 && width == this->width(value)) return value;
  return make(Opcode::kSlice, width, {value}, offset);
}

ValueId Rewriter::make_zext(ValueId value, uint32_t width) {
  if (width == this->width(value)) return value;
  return make(Opcode::kZext, width, {value});
}

ValueId Rewriter::make_concat(std::vector<ValueId> parts) {
  if (parts.size() == 1) return parts[0];
  uint32_t total = 0;
  for (ValueId part : parts) total += width(part);
  return make(Opcode::kConcat, total, std::move(parts));
}

}  // namespace vta::hlsc::passes
