// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>

#include <algorithm>
#include <map>
#include <utility>

#include "hw/hlsc/ir/identifier.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::ir {
namespace {

std::string hex(const llvm::APInt& value) {
  llvm::SmallString<64> digits;
  value.toString(digits, 16, false, true, false);
  return std::string(digits);
}

// Quoted text cannot hold a quote: a file name's quotes are written as apostrophes.
std::string place(const Location& location) {
  if (location.line == 0) return "";
  std::string file = location.file;
  std::ranges::replace(file, '"', '\'');
  return fmt::format("  @\"{}\":{}", file, location.line);
}

// LLVM's names of values may have other characters: "pre-phi".
std::string identifier(std::string name) {
  std::ranges::replace_if(name, [](char c) { return !is_identifier_char(c); }, '_');
  return name;
}

std::string object_line(const Object& object) {
  std::string line;
  switch (object.kind) {
    case ObjectKind::kRam:
      line = fmt::format("ram {} : {} x {} lanes {} banks {}", object.name, object.width,
                         object.depth, object.lane_width, object.banks);
      break;
    case ObjectKind::kRegister:
      line = fmt::format("register {} : {}", object.name, object.width);
      break;
    case ObjectKind::kInput:
      line = fmt::format("input {} : {}", object.name, object.width);
      break;
    case ObjectKind::kStream:
      line = fmt::format("stream {} : {} x {}", object.name, object.width, object.depth);
      break;
    case ObjectKind::kReadPort:
      line = fmt::format("read_port {} x {}", object.name, object.depth);
      break;
    case ObjectKind::kWritePort:
      line = fmt::format("write_port {} x {}", object.name, object.depth);
      break;
  }
  const char* separator = " = ";
  for (const llvm::APInt& word : object.initial) line += std::exchange(separator, ", ") + hex(word);
  return line + place(object.location) + "\n";
}

// Numbers the values in the order of their definitions.
class ProcessPrinter {
 public:
  ProcessPrinter(const Design& design, const Process& process)
      : design_(design), process_(process) {
    for_each_definition(process.body, [&](ValueId value) { define(value); });
  }

  std::string print() {
    text_ = fmt::format("\nprocess {}{} {{\n", process_.name, place(process_.location));
    sequence(process_.body, 1);
    return text_ + "}\n";
  }

 private:
  void define(ValueId value) {
    if (process_.ops[value].width == 0) return;
    const std::string name = identifier(process_.ops[value].name);
    names_.emplace(value, fmt::format("%{}{}{}", names_.size(), name.empty() ? "" : ".", name));
  }
  std::string name(ValueId value) const {
    if (value >= process_.ops.size()) return "%none";
    const Op& op = process_.ops[value];
    if (op.opcode == Opcode::kConstant) return fmt::format("{}:{}", hex(op.constant), op.width);
    const auto found = names_.find(value);
    return found == names_.end() ? "%undefined" : found->second;
  }
  void line(int depth, const std::string& text) {
    text_.append(static_cast<size_t>(depth) * 2, ' ').append(text).append("\n");
  }
  void sequence(const Sequence& sequence, int depth) {
    for_each_item(
        sequence, [&](ValueId value) { line(depth, op_text(value)); },
        [&](const Loop& loop) { print_loop(loop, depth); });
  }
  std::string op_text(ValueId value) const {
    const Op& op = process_.ops[value];
    std::string text;
    if (op.width != 0) text = fmt::format("{} : {} = ", name(value), op.width);
    text += mnemonic(op.opcode);
    if (op.is_signed) text += " signed";
    if (op.object != kNoObject) text += " " + design_.objects[op.object].name;
    if (op.offset != 0) text += fmt::format(" [{}]", op.offset);
    for (size_t i = 0; i < op.operands.size(); ++i) {
      text += (i == 0 ? " " : ", ") + name(op.operands[i]);
    }
    return text + place(op.location);
  }
  void print_loop(const Loop& loop, int depth) {
    line(depth,
         fmt::format(
             "loop {} if {}{}{} {{", loop.name, name(loop.predicate),
             loop.initiation_interval == 0 ? "" : fmt::format(" ii {}", loop.initiation_interval),
             place(loop.location)));
    for (const LoopPhi& phi : loop.phis) {
      line(depth + 1, fmt::format("phi {} : {} = {}, {}", name(phi.phi),
                                  process_.ops[phi.phi].width, name(phi.init), name(phi.next)));
    }
    sequence(loop.head, depth + 1);
    line(depth, fmt::format("}} while {} {{", name(loop.condition)));
    sequence(loop.body, depth + 1);
    line(depth, "}");
  }

  const Design& design_;
  const Process& process_;
  std::map<ValueId, std::string> names_;
  std::string text_;
};

}  // namespace

std::string print(const Design& design) {
  std::string text = fmt::format("design {}\n", design.name);
  for (const Object& object : design.objects) text += object_line(object);
  for (const Process& process : design.processes) text += ProcessPrinter(design, process).print();
  return text;
}

}  // namespace vta::hlsc::ir
