// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/rewriter.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <utility>

#include "hw/hlsc/transform/demanded_bits.h"
#include "hw/hlsc/transform/fold.h"

namespace vta::hlsc::transform {

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

bool commutes(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kMul:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kEq:
    case Opcode::kNe:
      return true;
    default:
      return false;
  }
}

}  // namespace

Rewriter::Rewriter(ir::Process& process) : process_(process) {}

ValueId Rewriter::resolve(ValueId value) const {
  while (value < replacement_.size() && replacement_[value] != value) value = replacement_[value];
  return value;
}

bool Rewriter::run() {
  replacement_.resize(process_.ops.size());
  for (size_t i = 0; i < replacement_.size(); ++i) replacement_[i] = static_cast<ValueId>(i);
  share_constants();
  demanded_ = demanded_bits(process_, Slices::kCount);
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

// Also below an extension, which is what simplification makes of an operation.
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
    if (const ValueId* value = std::get_if<ValueId>(&item)) {
      operation(*value);
    } else {
      loop(std::move(std::get<std::unique_ptr<ir::Loop>>(item)));
    }
  }
}

void Rewriter::operation(ValueId value) {
  for (ValueId& operand : process_.ops[value].operands) operand = resolve(operand);
  location_ = process_.ops[value].location;
  name_ = process_.ops[value].name;
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
  // Registers and inputs can be read at any time.
  const bool always = opcode == Opcode::kInputRead || opcode == Opcode::kRegisterRead;
  const ValueId yes = always ? make_bit(true) : kNoValue;
  if (always) process_.ops[value].operands[0] = yes;
  size_t scope = scopes_.size() - 1;
  if (opcode == Opcode::kInputRead) {  // once, in front of everything
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
    for (const ir::LoopPhi& phi : loop->phis) replacement_[phi.phi] = resolve(phi.init);
    replace_exported(loop->head);
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

// What the head of a loop exports that is never entered: any value will do, since whoever names it
// chooses another one then.
void Rewriter::replace_exported(const Sequence& head) {
  const auto replace = [&](ValueId value) {
    const uint32_t width = process_.ops[value].width;
    if (width != 0) replacement_[value] = make_constant(llvm::APInt(width, 0));
  };
  for (const ir::Item& item : head) {
    if (const ValueId* value = std::get_if<ValueId>(&item)) {
      replace(*value);
    } else {  // of a `do` loop
      const ir::Loop& inner = *std::get<std::unique_ptr<ir::Loop>>(item);
      for (const ir::LoopPhi& phi : inner.phis) replace(phi.phi);
      replace_exported(inner.head);
    }
  }
}

// What may be used after the loop belongs to the sequence around it then.
void Rewriter::export_values(const ir::Loop& loop) {
  for (const ir::LoopPhi& phi : loop.phis) depth_[phi.phi] = scopes_.size() - 1;
  for (const ir::Item& item : loop.head) {
    if (const ValueId* value = std::get_if<ValueId>(&item)) {
      depth_[*value] = scopes_.size() - 1;
    } else {  // of a `do` loop
      export_values(*std::get<std::unique_ptr<ir::Loop>>(item));
    }
  }
}

// A phi that is its initial value for ever.
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
  if (op.location.line == 0) op.location = location_;
  if (op.name.empty()) op.name = name_;
  const ValueId value = ir::add_op(process_, std::move(op));
  known->second = value;
  replacement_.push_back(value);
  depth_.resize(process_.ops.size(), 0);
  depth_[value] = deepest;
  scope.out->emplace_back(value);
  return value;
}

ValueId Rewriter::make(Op op) {
  op.constant = llvm::APInt();
  if (commutes(op.opcode)) {
    const bool swap = is_constant(op.operands[0])
                          ? !is_constant(op.operands[1])
                          : op.operands[0] > op.operands[1] && !is_constant(op.operands[1]);
    if (swap) std::swap(op.operands[0], op.operands[1]);
  }
  // What was folded once is not folded again: words of many parts would take for ever.
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
  Op op;
  op.opcode = opcode;
  op.width = width;
  op.operands = std::move(operands);
  op.offset = offset;
  return make(std::move(op));
}

ValueId Rewriter::make_constant(const llvm::APInt& value) {
  const auto [known, fresh] = constants_.emplace(key_of(value), kNoValue);
  if (!fresh) return known->second;
  Op op;
  op.width = value.getBitWidth();
  op.constant = value;
  known->second = ir::add_op(process_, std::move(op));
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

}  // namespace vta::hlsc::transform
