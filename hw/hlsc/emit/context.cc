// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/hlsc/emit/product_pairs.h"
#include "hw/hlsc/schedule/delay.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// Whether the result is operand 0, which needs no name of its own.
bool is_another_value(Opcode opcode) { return opcode == Opcode::kLate || opcode == Opcode::kStage; }

}  // namespace

std::string value_name(const ir::Process& process, ValueId value) {
  const Op& op = process.ops[value];
  return fmt::format("{}_{}", identifier(op.name.empty() ? ir::mnemonic(op.opcode) : op.name),
                     value);
}

Context::Context(const ir::Process& process, const bind::ProcessBinding& binding,
                 ModuleParts& parts, std::string suffix, Source source, Block* block)
    : process_(process),
      binding_(binding),
      parts_(parts),
      suffix_(std::move(suffix)),
      source_(std::move(source)),
      block_(block) {}

std::string Context::name_of(ValueId value) const {
  return value_name(process_, value) + "_" + suffix_;
}

Expression Context::wire(ValueId value) {
  const Op& op = process_.ops[value];
  if (op.opcode == Opcode::kConstant) return literal(op.constant);
  if (const auto found = wires_.find(value); found != wires_.end()) return found->second;
  const Expression net = source_(value);
  return wires_[value] = net.empty() ? compute_wire(value) : net;
}

Expression Context::compute_wire(ValueId value) {
  const Op& op = process_.ops[value];
  if (is_another_value(op.opcode)) return wire(op.operands[0]);
  if (const auto sum = binding_.packed_sums.find(value); sum != binding_.packed_sums.end()) {
    add_packed_sums(sum->second, true);
    return wires_.at(value);
  }
  // Gated values are for simulators, which get the products as they are.
  if (const auto pair = binding_.pairs.find(value); gate_.empty() && pair != binding_.pairs.end()) {
    add_pair_wires(pair->second);
    return wires_.at(value);
  }
  return add_value(name_of(value), op.width, expression(process_, op, operand_wires(value)));
}

std::vector<Expression> Context::operand_wires(ValueId value) {
  if (const auto sums = partial_sums_.find(value); sums != partial_sums_.end()) return sums->second;
  std::vector<Expression> operands;
  for (ValueId operand : process_.ops[value].operands) operands.push_back(wire(operand));
  return operands;
}

Expression Context::variable(ValueId value) {
  const Op& op = process_.ops[value];
  if (op.opcode == Opcode::kConstant) return literal(op.constant);
  if (const auto found = wires_.find(value); found != wires_.end()) return found->second;
  if (const auto found = variables_.find(value); found != variables_.end()) return found->second;
  const Expression net = source_(value);
  return variables_[value] = net.empty() ? compute_variable(value) : net;
}

Expression Context::compute_variable(ValueId value) {
  const Op& op = process_.ops[value];
  if (is_another_value(op.opcode)) return variable(op.operands[0]);
  if (const auto sum = binding_.packed_sums.find(value); sum != binding_.packed_sums.end()) {
    add_packed_sums(sum->second, false);
    return variables_.at(value);
  }
  if (const auto product = binding_.packed_products.find(value);
      product != binding_.packed_products.end())
    return compute_packed_product(product->second);
  if (const auto pair = binding_.pairs.find(value); pair != binding_.pairs.end()) {
    assign_pair(pair->second);
    return variables_.at(value);
  }
  Expression computed = sum_of_products(op);
  if (computed.empty()) computed = expression(process_, op, operand_variables(value));
  // A wire of the value may be needed later: hence the suffix.
  return add_variable(name_of(value) + "_t", op.width, computed);
}

std::vector<Expression> Context::operand_variables(ValueId value) {
  if (const auto sums = partial_sums_.find(value); sums != partial_sums_.end()) return sums->second;
  std::vector<Expression> operands;
  for (ValueId operand : process_.ops[value].operands) operands.push_back(variable(operand));
  return operands;
}

// The width of a product that loses no bits.
uint32_t Context::full_product_bits(const Op& product) const {
  return process_.ops[product.operands[0]].width + process_.ops[product.operands[1]].width;
}

// The product that a term of a sum extends, if the sum can use it as an expression. Every such term
// is signed and extends to the width of the sum, so the expression wraps as the sum does.
const Op* Context::inlined_product(const Op& sum, ValueId term) const {
  const bool extended = process_.ops[term].opcode == Opcode::kSext;
  const Op& product = process_.ops[extended ? process_.ops[term].operands[0] : term];
  if (product.opcode != Opcode::kMul || !product.is_signed || !source_(term).empty())
    return nullptr;
  const bool wraps = product.width < sum.width && product.width < full_product_bits(product);
  return product.width > sum.width || wraps ? nullptr : &product;
}

// Absent if the operation is not such a sum.
Expression Context::sum_of_products(const Op& op) {
  if (!inlines_products_ || op.opcode != Opcode::kSum) return {};
  Expression all;
  for (ValueId term : op.operands) {
    const Op* product = inlined_product(op, term);
    if (product == nullptr) return {};
    const Expression a = signed_operand(product->operands[0]);
    const Expression one = a * signed_operand(product->operands[1]);
    all = all.empty() ? one : all + one;
  }
  return all;
}

// The word of which the value is a slice; absent if it is not one, or if either is computed here.
Expression Context::sliced_word(ValueId value) {
  const Op& op = process_.ops[value];
  const bool part = op.opcode == Opcode::kSlice && source_(value).empty();
  return part ? source_(op.operands[0]) : Expression();
}

Expression Context::signed_operand(ValueId value) {
  const Op& op = process_.ops[value];
  const Expression word = sliced_word(value);
  if (word.empty()) return rtl::as_signed(variable(value));
  return rtl::as_signed(rtl::range(word, op.offset + op.width - 1, op.offset));
}

void Context::need_wire(ValueId value) {
  const Op& op = process_.ops[value];
  if (op.opcode == Opcode::kConstant || !needed_wires_.insert(value).second) return;
  if (!source_(value).empty() || partial_sums_.contains(value)) return;
  if (const auto sum = binding_.packed_sums.find(value); sum != binding_.packed_sums.end())
    return need_packed_sum(sum->second);
  for (ValueId operand : op.operands) need_wire(operand);
}

void Context::need_variable(ValueId value) {
  const Op& op = process_.ops[value];
  if (op.opcode == Opcode::kConstant || needed_wires_.contains(value)) return;
  if (!needed_variables_.insert(value).second || !source_(value).empty()) return;
  if (partial_sums_.contains(value)) return;
  if (const auto sum = binding_.packed_sums.find(value); sum != binding_.packed_sums.end())
    return need_packed_sum(sum->second);
  if (const auto pair = binding_.pairs.find(value); pair != binding_.pairs.end())
    return need_pair(pair->second);
  if (need_sum_of_products(op)) return;
  for (ValueId operand : op.operands) need_variable(operand);
}

void Context::need_packed_sum(const bind::PackedSum& sum) {
  for (const bind::ProductPair& pair : sum.pairs) source_(pair.low);
}

void Context::need_pair(const bind::ProductPair& pair) {
  for (ValueId operand : {pair.low_operand, pair.high_operand, pair.shared}) need_variable(operand);
}

bool Context::need_sum_of_products(const Op& op) {
  if (!inlines_products_ || op.opcode != Opcode::kSum) return false;
  for (ValueId term : op.operands) {
    const Op* product = inlined_product(op, term);
    if (product == nullptr) return false;
    for (ValueId operand : product->operands) {
      if (sliced_word(operand).empty()) need_variable(operand);
    }
  }
  return true;
}

Expression Context::declare_variable(const std::string& name, uint32_t width) {
  block().variables.push_back({name, width, false, rtl::View::kBoth});
  return rtl::net(name, width);
}

// Signed, and of the view for synthesis only.
Expression Context::declare_for_synthesis(const std::string& name, uint32_t width) {
  block().variables.push_back({name, width, true, rtl::View::kSynthesis});
  return rtl::net(name, width);
}

void Context::assign(const Expression& target, const Expression& value, rtl::View view) {
  block().assignments.push_back(rtl::blocking(target, value));
  block().assignments.back().view = view;
}

// Simulators get the two products as they are, which is faster.
void Context::assign_pair(const bind::ProductPair& pair) {
  constexpr rtl::View kSimulation = rtl::View::kSimulation, kSynthesis = rtl::View::kSynthesis;
  const Expression a = variable(pair.low_operand), b = variable(pair.high_operand),
                   x = variable(pair.shared);
  const Expression low = declare_variable(name_of(pair.low) + "_t", bind::kPairedProductBits),
                   high = declare_variable(name_of(pair.high) + "_t", bind::kPairedProductBits);
  const Expression both =
                       declare_for_synthesis(name_of(pair.low) + "_pair", bind::kPackedFactorBits),
                   q = declare_for_synthesis(both.text() + "_product", bind::kPackedProductBits);
  assign(low, rtl::as_signed(a) * rtl::as_signed(x), kSimulation);
  assign(high, rtl::as_signed(b) * rtl::as_signed(x), kSimulation);
  const PackedFactor factor = packed_factor(a, b);
  assign(both, rtl::as_signed(factor.high) + rtl::as_signed(factor.low), kSynthesis);
  assign(q, both * rtl::as_signed(x), kSynthesis);
  assign(low, low_product(q), kSynthesis);
  assign(high, high_product(q), kSynthesis);
  variables_[pair.low] = low;
  variables_[pair.high] = high;
}

void Context::add_pair_wires(const bind::ProductPair& pair) {
  const Expression a = wire(pair.low_operand), b = wire(pair.high_operand), x = wire(pair.shared);
  const PackedFactor factor = packed_factor(a, b);
  const Expression both =
      add_wire(name_of(pair.low) + "_pair", bind::kPackedFactorBits, factor.high + factor.low);
  const Expression q = add_wire(both.text() + "_product", bind::kPackedProductBits,
                                rtl::as_signed(both) * rtl::as_signed(x));
  wires_[pair.low] = add_wire(name_of(pair.low), bind::kPairedProductBits, low_product(q));
  wires_[pair.high] = add_wire(name_of(pair.high), bind::kPairedProductBits, high_product(q));
}

// Stands for both products of the pair, under the name of the low one.
Expression Context::compute_packed_product(const bind::ProductPair& pair) {
  const Expression low = variable(pair.low_operand), high = variable(pair.high_operand),
                   shared = variable(pair.shared);
  return packed_product(low, high, shared, name_of(pair.low), as_variables());
}

AddVariable Context::as_variables() {
  return [this](const std::string& name, uint32_t width, const Expression& value) {
    return add_variable(name, width, value);
  };
}

// The products are in registers: an earlier stage computes them.
void Context::add_packed_sums(const bind::PackedSum& sum, bool wires) {
  const AddVariable add = [&](const std::string& name, uint32_t width, const Expression& value) {
    return wires ? add_value(name, width, value) : add_variable(name, width, value);
  };
  const std::string name = name_of(sum.low) + (wires ? "_wire" : "");
  const uint32_t width = process_.ops[sum.low].width;
  const auto [low, high] = packed_sum(packed_partial_sums(sum, name, add), width, name, add);
  for (const auto& [value, total] : {std::pair(sum.low, low), std::pair(sum.high, high)})
    (wires ? wires_ : variables_)[value] = add(name_of(value) + (wires ? "" : "_t"), width, total);
}

std::vector<Expression> Context::packed_partial_sums(const bind::PackedSum& sum,
                                                     const std::string& name,
                                                     const AddVariable& add) {
  if (const auto found = partial_sums_.find(sum.low); found != partial_sums_.end())
    return found->second;
  std::vector<Expression> products;
  for (const bind::ProductPair& pair : sum.pairs) products.push_back(source_(pair.low));
  return emit::partial_sums(products, name, add);
}

std::vector<Expression> Context::partial_sums(ValueId sum) {
  const std::string name = name_of(sum);
  if (const auto packed = binding_.packed_sums.find(sum); packed != binding_.packed_sums.end())
    return packed_partial_sums(packed->second, name, as_variables());
  const Op& op = process_.ops[sum];
  std::vector<Expression> sums;
  for (size_t first = 0; first < op.operands.size(); first += schedule::kTermsOfPartialSum) {
    const size_t end = std::min(first + schedule::kTermsOfPartialSum, op.operands.size());
    std::vector<Expression> terms;
    for (size_t i = first; i < end; ++i) terms.push_back(variable(op.operands[i]));
    sums.push_back(add_variable(fmt::format("{}_partial{}", name, sums.size()), op.width,
                                expression(process_, op, terms)));
  }
  return sums;
}

void Context::need_partial_sums(ValueId sum) {
  if (const auto packed = binding_.packed_sums.find(sum); packed != binding_.packed_sums.end())
    return need_packed_sum(packed->second);
  for (ValueId operand : process_.ops[sum].operands) need_variable(operand);
}

void Context::set_partial_sums(ValueId sum, std::vector<Expression> registers) {
  partial_sums_[sum] = std::move(registers);
}

Expression Context::add_variable(const std::string& name, uint32_t width, const Expression& value) {
  const Expression net = declare_variable(name, width);
  assign(net, value, rtl::View::kBoth);
  return net;
}

Expression Context::add_value(const std::string& name, uint32_t width, const Expression& value) {
  if (gate_.empty()) return add_wire(name, width, value);
  const Expression net = parts_.add_register(name, width);
  parts_.gated[gate_.text()].push_back(rtl::blocking(net, value));
  return net;
}

Expression Context::add_wire(const std::string& name, uint32_t width, const Expression& value) {
  parts_.wires.push_back({rtl::NetKind::kWire, width, name, value});
  return rtl::net(name, width);
}

}  // namespace vta::hlsc::emit
