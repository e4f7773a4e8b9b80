// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/carried_forms.h"

#include <algorithm>
#include <utility>

namespace vta::hlsc::schedule {

using ir::kNoValue;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

using Kind = Form::Kind;

bool is_gate(Opcode opcode) {
  return opcode == Opcode::kAnd || opcode == Opcode::kOr || opcode == Opcode::kXor;
}

bool is_addition(Opcode opcode) { return opcode == Opcode::kAdd || opcode == Opcode::kSum; }

// Cheap enough to be computed for both values of a carried bit.
bool is_cheap(Opcode opcode) {
  return is_gate(opcode) || opcode == Opcode::kSelect ||
         (ir::is_pure(opcode) && ir::info(opcode).delay == ir::DelayClass::kWire &&
          opcode != Opcode::kLate);
}

}  // namespace

// The form of one operation from those of its operands.
class CarriedForms::Rules {
 public:
  Rules(CarriedForms& forms, const Op& op, ir::Sequence& out)
      : forms_(forms), op_(op), build_(forms.process_, out, op) {}

  Form form() {
    for (const auto rule : {&Rules::choice, &Rules::chain, &Rules::mux}) {
      if (const std::optional<Form> form = (this->*rule)()) return *form;
    }
    return {};
  }

  ValueId value_of(const Form& form) {
    if (form.kind == Kind::kChoice) return build_.select(form.carried, form.first, form.second);
    if (form.kind == Kind::kMux) return build_.select(form.first, form.carried, form.second);
    return build_.make(form.opcode, op_.width, {form.carried, form.first});
  }

 private:
  bool is_carried(ValueId value) const { return forms_.recurrence_.contains(value); }
  Form form_of(ValueId value) const {
    const auto found = forms_.forms_.find(value);
    return found == forms_.forms_.end() ? Form{.carried = value} : found->second;
  }

  // Operands that are functions of one carried bit: the operation for both of its values.
  std::optional<Form> choice() {
    if (!is_cheap(op_.opcode)) return std::nullopt;
    Op if_set = op_, if_clear = op_;
    ValueId carried = kNoValue;
    for (size_t i = 0; i < op_.operands.size(); ++i) {
      if (!is_carried(op_.operands[i])) continue;
      const std::optional<Form> operand = as_choice(op_.operands[i]);
      if (!operand || (carried != kNoValue && carried != operand->carried)) return std::nullopt;
      carried = operand->carried;
      if_set.operands[i] = operand->first;
      if_clear.operands[i] = operand->second;
    }
    const ValueId first = build_.make(std::move(if_set)), second = build_.make(std::move(if_clear));
    return Form{Kind::kChoice, carried, {}, first, second};
  }
  std::optional<Form> as_choice(ValueId value) {
    const Form form = form_of(value);
    if (form.kind == Kind::kChoice) return form;
    if (build_.width(value) != 1) return std::nullopt;
    return Form{Kind::kChoice, value, {}, build_.bit(true), build_.bit(false)};
  }

  // Sums, and gates of the same kind: carried operands first, free ones among themselves.
  std::optional<Form> chain() {
    if (op_.opcode == Opcode::kSub) return difference();
    if (!is_gate(op_.opcode) && !is_addition(op_.opcode)) return std::nullopt;
    const Opcode opcode = is_gate(op_.opcode) ? op_.opcode : Opcode::kAdd;
    ValueId carried = kNoValue, free = kNoValue;
    const auto join = [&](ValueId& all, ValueId more) {
      all = all == kNoValue ? more : build_.make(opcode, op_.width, {all, more});
    };
    for (ValueId operand : op_.operands) {
      if (!is_carried(operand)) {
        join(free, operand);
        continue;
      }
      const Form form = as_chain(operand, opcode);
      join(carried, form.carried);
      if (form.first != kNoValue) join(free, form.first);
    }
    if (free == kNoValue) return std::nullopt;
    return chain_of(opcode, carried, free);
  }
  std::optional<Form> difference() {
    if (is_carried(op_.operands[1])) return std::nullopt;
    const Form form = as_chain(op_.operands[0], Opcode::kAdd);
    if (form.first == kNoValue) return std::nullopt;
    const ValueId free = build_.make(Opcode::kSub, op_.width, {form.first, op_.operands[1]});
    return chain_of(Opcode::kAdd, form.carried, free);
  }
  // A carried operand as a chain of this opcode; `first` is kNoValue if it is only carried.
  Form as_chain(ValueId value, Opcode opcode) const {
    const Form form = form_of(value);
    if (form.kind == Kind::kChain && form.opcode == opcode) return form;
    if (form.kind == Kind::kChoice && build_.width(value) == 1) {
      if (opcode == Opcode::kAnd && build_.is_zero(form.second))
        return {Kind::kChain, form.carried, opcode, form.first};
      if (opcode == Opcode::kOr && build_.is_ones(form.first))
        return {Kind::kChain, form.carried, opcode, form.second};
    }
    return {Kind::kChain, value, opcode};
  }
  Form chain_of(Opcode opcode, ValueId carried, ValueId free) {
    if (op_.width == 1 && opcode == Opcode::kAnd)
      return {Kind::kChoice, carried, {}, free, build_.bit(false)};
    if (op_.width == 1 && opcode == Opcode::kOr)
      return {Kind::kChoice, carried, {}, build_.bit(true), free};
    return {Kind::kChain, carried, opcode, free};
  }

  // A free condition selects among functions of one carried value.
  std::optional<Form> mux() {
    if (op_.opcode != Opcode::kSelect || is_carried(op_.operands[0])) return std::nullopt;
    if (const std::optional<Form> chains = mux_of_chains()) return chains;
    const Form a = as_mux(op_.operands[1]), b = as_mux(op_.operands[2]);
    if (a.carried != kNoValue && b.carried != kNoValue && a.carried != b.carried)
      return std::nullopt;
    const ValueId is_used = build_.select(op_.operands[0], a.first, b.first);
    const ValueId other = a.second == kNoValue ? b.second
                          : b.second == kNoValue
                              ? a.second
                              : build_.select(op_.operands[0], a.second, b.second);
    if (other == kNoValue) return std::nullopt;
    return Form{Kind::kMux, a.carried != kNoValue ? a.carried : b.carried, {}, is_used, other};
  }
  // `second` is kNoValue if the value is only carried, `carried` if it is free.
  Form as_mux(ValueId value) {
    if (!is_carried(value)) return {Kind::kMux, kNoValue, {}, build_.bit(false), value};
    const Form form = form_of(value);
    if (form.kind == Kind::kMux) return form;
    return {Kind::kMux, value, {}, build_.bit(true)};
  }
  std::optional<Form> mux_of_chains() {
    const ValueId a = op_.operands[1], b = op_.operands[2];
    if (!is_carried(a) || !is_carried(b)) return std::nullopt;
    const Form &x = form_of(a), &y = form_of(b);
    const Opcode opcode = x.kind == Kind::kChain ? x.opcode : y.opcode;
    if (x.kind != Kind::kChain && y.kind != Kind::kChain) return std::nullopt;
    const Form p = as_chain(a, opcode), q = as_chain(b, opcode);
    if (p.carried != q.carried) return std::nullopt;
    const auto term = [&](const Form& form) {
      return form.first != kNoValue ? form.first : build_.identity_of(opcode, op_.width);
    };
    return chain_of(opcode, p.carried, build_.select(op_.operands[0], term(p), term(q)));
  }

  CarriedForms& forms_;
  const Op& op_;
  FoldingBuilder build_;
};

void CarriedForms::shorten(ValueId value, ir::Sequence& out) {
  const Op op = process_.ops[value];
  if (!ir::is_pure(op.opcode)) return;
  Rules rules(*this, op, out);
  const Form form = rules.form();
  if (form.kind == Kind::kItself) return;
  const bool is_first = std::ranges::none_of(op.operands, [&](ValueId operand) {
    return recurrence_.contains(operand) && forms_.contains(operand);
  });
  forms_[value] = form;
  if (is_first) return;
  Op same = ir::make_op(Opcode::kSlice, op.width, {rules.value_of(form)});
  same.location = op.location;
  same.name = op.name;
  process_.ops[value] = std::move(same);
}

}  // namespace vta::hlsc::schedule
