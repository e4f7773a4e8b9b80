// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/hlsc/emit/expression.h"
#include "hw/hlsc/emit/packed_sums.h"
#include "hw/hlsc/emit/wide_products.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

std::string value_name(const ir::Process& process, ValueId value) {
  const Op& op = process.ops[value];
  return fmt::format("{}_{}", identifier(op.name.empty() ? ir::mnemonic(op.opcode) : op.name),
                     value);
}

Context::Context(const ir::Process& process, const bind::ProcessBinding& binding, ModuleText& text,
                 std::string suffix, Source source, BlockText* block)
    : process_(process),
      binding_(binding),
      text_(text),
      suffix_(std::move(suffix)),
      source_(std::move(source)),
      block_(block) {}

std::string Context::name_of(ValueId value) const {
  return value_name(process_, value) + "_" + suffix_;
}

std::string Context::wire(ValueId value) {
  const Op& op = process_.ops[value];
  if (op.opcode == Opcode::kConstant) return literal(op.constant);
  if (const auto found = wires_.find(value); found != wires_.end()) return found->second;
  std::string name = source_(value);
  if (name.empty() && op.opcode == Opcode::kLate) name = wire(op.operands[0]);
  if (const auto sum = binding_.packed_sums.find(value);
      name.empty() && sum != binding_.packed_sums.end()) {
    add_packed_sums(sum->second, true);
    return wires_.at(value);
  }
  if (name.empty()) {
    std::vector<std::string> operands;
    for (ValueId operand : op.operands) operands.push_back(wire(operand));
    name = add_value(name_of(value), op.width, expression(process_, op, operands));
  }
  return wires_[value] = name;
}

std::string Context::variable(ValueId value) {
  const Op& op = process_.ops[value];
  if (op.opcode == Opcode::kConstant) return literal(op.constant);
  if (const auto found = wires_.find(value); found != wires_.end()) return found->second;
  if (const auto found = variables_.find(value); found != variables_.end()) return found->second;
  std::string name = source_(value);
  if (name.empty() && op.opcode == Opcode::kLate) name = variable(op.operands[0]);
  if (const auto sum = binding_.packed_sums.find(value);
      name.empty() && sum != binding_.packed_sums.end()) {
    assign_packed(value, sum->second);
    return variables_.at(value);
  }
  if (const auto pair = binding_.pairs.find(value); name.empty() && pair != binding_.pairs.end()) {
    assign_pair(pair->second);
    return variables_.at(value);
  }
  if (const std::string sum = name.empty() ? sum_of_products(op) : ""; !sum.empty()) {
    name = add_variable(name_of(value) + "_t", op.width, sum);
  }
  if (name.empty() && binding_.wide_products.contains(value)) name = assign_wide_product(value);
  if (name.empty()) {
    std::vector<std::string> operands;
    for (ValueId operand : op.operands) operands.push_back(variable(operand));
    // It may be wanted as a wire later.
    name = add_variable(name_of(value) + "_t", op.width, expression(process_, op, operands));
  }
  return variables_[value] = name;
}

// Of a product that loses nothing.
uint32_t Context::factor_bits(const Op& product) const {
  return process_.ops[product.operands[0]].width + process_.ops[product.operands[1]].width;
}

// "" if it is none. Every term is signed and extends to the width of the sum, so the expression
// wraps as the sum does.
std::string Context::sum_of_products(const Op& op) {
  if (!inlines_products_ || op.opcode != Opcode::kSum) return "";
  std::string text;
  for (ValueId term : op.operands) {
    const bool extended = process_.ops[term].opcode == Opcode::kSext;
    const Op& product = process_.ops[extended ? process_.ops[term].operands[0] : term];
    if (product.opcode != Opcode::kMul || !product.is_signed || !source_(term).empty()) return "";
    if (product.width > op.width) return "";
    if (product.width < op.width && product.width < factor_bits(product)) return "";  // it wraps
    text += fmt::format("{}{} * {}", text.empty() ? "" : " + ", signed_operand(product.operands[0]),
                        signed_operand(product.operands[1]));
  }
  return text;
}

std::string Context::signed_operand(ValueId value) {
  const Op& op = process_.ops[value];
  const bool part = op.opcode == Opcode::kSlice && source_(value).empty();
  const std::string word = part ? source_(op.operands[0]) : "";
  if (word.empty()) return fmt::format("$signed({})", variable(value));
  return fmt::format("$signed({}[{}:{}])", word, op.offset + op.width - 1, op.offset);
}

void Context::declare_variable(const std::string& name, uint32_t width) {
  block().declarations += fmt::format("      reg {}{};\n", range(width), name);
}

// Simulators get the products as they are: they are faster with them.
void Context::assign_pair(const bind::ProductPair& pair) {
  const std::string a = variable(pair.low_operand), b = variable(pair.high_operand),
                    x = variable(pair.shared);
  const std::string low = name_of(pair.low) + "_t", high = name_of(pair.high) + "_t";
  const std::string both = name_of(pair.low) + "_pair", product = both + "_product";
  declare_variable(low, 16);
  declare_variable(high, 16);
  block().declarations += fmt::format(
      "`ifndef HLS_SIMULATION\n      reg signed [24:0] {};\n      reg signed [32:0] {};\n`endif\n",
      both, product);
  block().assignments += fmt::format(
      "`ifdef HLS_SIMULATION\n      {0} = $signed({1}) * $signed({2});\n      {3} = $signed({4}) * "
      "$signed({2});\n`else\n      {5} = $signed({{{4}[7], {4}, 16'd0}}) + "
      "$signed({{{{17{{{1}[7]}}}}, "
      "{1}}});\n      {6} = {5} * $signed({2});\n      {0} = {6}[15:0];\n      {3} = {6}[31:16] + "
      "{{15'd0, {6}[15]}};\n`endif\n",
      low, a, x, high, b, both, product);
  variables_[pair.low] = low;
  variables_[pair.high] = high;
}

// Simulators multiply 32 bits at once.
std::string Context::assign_wide_product(ValueId value) {
  const Op& op = process_.ops[value];
  const std::string a = variable(op.operands[0]), b = variable(op.operands[1]);
  const std::string name = name_of(value) + "_t";
  const BlockText parts = wide_product(a, b, op.width, name);
  declare_variable(name, op.width);
  block().declarations += fmt::format("`ifndef HLS_SIMULATION\n{}`endif\n", parts.declarations);
  block().assignments +=
      fmt::format("`ifdef HLS_SIMULATION\n      {} = {} * {};\n`else\n{}`endif\n", name, a, b,
                  parts.assignments);
  return name;
}

// The low product of a pair stands for both.
void Context::assign_packed(ValueId value, const bind::PackedSum& sum) {
  if (value == sum.low || value == sum.high) return add_packed_sums(sum, false);
  const bind::ProductPair& pair =
      *std::find_if(sum.pairs.begin(), sum.pairs.end(),
                    [&](const bind::ProductPair& p) { return p.low == value; });
  variables_[value] = write_packed_product(
      variable(pair.low_operand), variable(pair.high_operand), variable(pair.shared),
      name_of(value), [this](const std::string& name, uint32_t width, const std::string& text) {
        return add_variable(name, width, text);
      });
}

// The products stand in registers: they are of an earlier stage.
void Context::add_packed_sums(const bind::PackedSum& sum, bool wires) {
  const AddVariable add = [&](const std::string& name, uint32_t width, const std::string& text) {
    return wires ? add_value(name, width, text) : add_variable(name, width, text);
  };
  std::vector<std::string> products;
  for (const bind::ProductPair& pair : sum.pairs) products.push_back(source_(pair.low));
  const uint32_t width = process_.ops[sum.low].width;
  const auto [low, high] =
      write_packed_sum(products, width, name_of(sum.low) + (wires ? "_wire" : ""), add);
  for (const auto& [value, text] : {std::pair(sum.low, low), std::pair(sum.high, high)})
    (wires ? wires_ : variables_)[value] = add(name_of(value) + (wires ? "" : "_t"), width, text);
}

std::string Context::add_variable(const std::string& name, uint32_t width,
                                  const std::string& expression) {
  declare_variable(name, width);
  block().assignments += fmt::format("      {} = {};\n", name, expression);
  return name;
}

std::string Context::add_value(const std::string& name, uint32_t width,
                               const std::string& expression) {
  if (gate_.empty()) return add_wire(name, width, expression);
  text_.registers += fmt::format("  reg {}{};\n", range(width), name);
  text_.gated[gate_] += fmt::format("      {} = {};\n", name, expression);
  return name;
}

std::string Context::add_wire(const std::string& name, uint32_t width,
                              const std::string& expression) {
  text_.wires += fmt::format("  wire {}{} = {};\n", range(width), name, expression);
  return name;
}

}  // namespace vta::hlsc::emit
