// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/context.h"

#include <fmt/format.h>

#include <utility>

#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

std::string value_name(const ir::Process& process, ValueId value) {
  const Op& op = process.ops[value];
  return fmt::format("{}_{}", identifier(op.name.empty() ? ir::mnemonic(op.opcode) : op.name),
                     value);
}

Context::Context(const ir::Process& process, ModuleText& text, std::string suffix, Source source)
    : process_(process), text_(text), suffix_(std::move(suffix)), source_(std::move(source)) {}

std::string Context::name_of(ValueId value) const {
  return value_name(process_, value) + "_" + suffix_;
}

std::string Context::wire(ValueId value) {
  const Op& op = process_.ops[value];
  if (op.opcode == Opcode::kConstant) return literal(op.constant);
  if (const auto found = wires_.find(value); found != wires_.end()) return found->second;
  std::string name = source_(value);
  if (name.empty() && op.opcode == Opcode::kLate) name = wire(op.operands[0]);
  if (name.empty()) {
    std::vector<std::string> operands;
    for (ValueId operand : op.operands) operands.push_back(wire(operand));
    name = add_wire(name_of(value), op.width, expression(process_, op, operands));
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
  if (name.empty()) {
    std::vector<std::string> operands;
    for (ValueId operand : op.operands) operands.push_back(variable(operand));
    name = name_of(value) + "_t";  // it may be wanted as a wire later
    declarations_ += fmt::format("      reg {}{};\n", range(op.width), name);
    assignments_ += fmt::format("      {} = {};\n", name, expression(process_, op, operands));
  }
  return variables_[value] = name;
}

std::string Context::add_wire(const std::string& name, uint32_t width,
                              const std::string& expression) {
  text_.wires += fmt::format("  wire {}{} = {};\n", range(width), name, expression);
  return name;
}

}  // namespace vta::hlsc::emit
