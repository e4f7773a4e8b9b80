// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/model_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/hlsc/model/expression.h"
#include "runtime/base/error.h"

namespace vta::hlsc::model {

using ir::ObjectId;
using ir::ObjectKind;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

std::optional<SharedPort> shared_port(const ModelInput& input, ObjectId ram, size_t process,
                                      Opcode access) {
  const bind::RamPorts& ports = input.rams.at(ram);
  const std::string& name = input.design.objects[ram].name;
  const std::vector<size_t> clients = ports.clients(process, access);
  if (clients.empty()) return std::nullopt;
  const char* prefix = ports.is_true_dual_port      ? "port_"
                       : access == Opcode::kRamRead ? "reads_port_"
                                                    : "writes_port_";
  return SharedPort{prefix + name, clients};
}

std::vector<SharedPort> shared_ports(const ModelInput& input, ObjectId ram) {
  const bind::RamPorts& ports = input.rams.at(ram);
  std::vector<SharedPort> shared;
  const auto add = [&](size_t process, Opcode access) {
    const auto port = shared_port(input, ram, process, access);
    const auto is_same = [&](const SharedPort& other) { return other.arbiter == port->arbiter; };
    if (port && std::none_of(shared.begin(), shared.end(), is_same)) shared.push_back(*port);
  };
  for (size_t process : ports.readers) add(process, Opcode::kRamRead);
  for (size_t process : ports.writers) add(process, Opcode::kRamWrite);
  return shared;
}

// Names start with the kind of object, so they cannot clash with each other or with a keyword.
std::string object_name(const ir::Object& object) {
  static constexpr const char* kPrefixes[] = {"ram_",    "register_", "input_",
                                              "stream_", "dram_",     "dram_"};
  return kPrefixes[static_cast<size_t>(object.kind)] + object.name;
}

std::string object_number(const ir::Object& object) { return "number_of_" + object.name; }

std::string content_type(const ModelInput& input, ObjectId object) {
  const uint32_t width = input.design.objects[object].width;
  return input.slice.contents[object] && width > 0 ? fmt::format("bits<{}>", width) : "NoContent";
}

std::map<ObjectId, uint32_t> late_registers(const ModelInput& input) {
  std::map<ObjectId, uint32_t> late;
  for (size_t p = 0; p < input.design.processes.size(); ++p) {
    const ir::Process& process = input.design.processes[p];
    for (const auto& [outermost, nest] : input.schedule.processes[p].nests) {
      std::set<ObjectId> read, written;
      const auto visit = [&](const ir::Sequence& items, bool is_body) {
        for (const ir::Item& item : items) {
          const ValueId* value = std::get_if<ValueId>(&item);
          if (value == nullptr) continue;
          const Op& op = process.ops[*value];
          if (is_body && op.opcode == Opcode::kRegisterWrite) written.insert(op.object);
          if (!is_body && op.opcode == Opcode::kRegisterRead) read.insert(op.object);
        }
      };
      for (const ir::Loop* level : nest.levels) {
        visit(level->head, false);
        visit(level->body, level == nest.levels.back());
      }
      for (ObjectId id : read) {
        if (written.contains(id)) late[id] = std::max(late[id], nest.stages + 2);
      }
    }
  }
  return late;
}

ProcessText::ProcessText(const ModelInput& input, size_t process,
                         const std::map<ObjectId, uint32_t>& late_registers)
    : input_(input),
      process_index_(process),
      process_(input.design.processes[process]),
      late_registers_(late_registers) {}

const llvm::APInt* ProcessText::known(ValueId value) const {
  if (op(value).opcode == Opcode::kConstant) return &op(value).constant;
  if (known_ == nullptr) return nullptr;
  const auto found = known_->find(value);
  return found == known_->end() ? nullptr : &found->second;
}

ValueId ProcessText::only_operand(const Op& op) const {
  if (op.opcode == Opcode::kSelect) {
    const llvm::APInt* condition = known(op.operands[0]);
    return condition == nullptr ? ir::kNoValue : op.operands[condition->isZero() ? 2 : 1];
  }
  if (op.opcode != Opcode::kAnd && op.opcode != Opcode::kOr) return ir::kNoValue;
  for (size_t i = 0; i < 2; ++i) {
    const llvm::APInt* other = known(op.operands[1 - i]);
    if (other == nullptr) continue;
    if (op.opcode == Opcode::kAnd ? other->isAllOnes() : other->isZero()) return op.operands[i];
  }
  return ir::kNoValue;
}

std::string ProcessText::name(ValueId value) const {
  if (const llvm::APInt* constant = known(value)) return literal(*constant);
  const bool member = members_ != nullptr && members_->contains(value);
  return fmt::format("{}v{}", member ? prefix_ : "", value);
}

std::string ProcessText::object_name(ObjectId id) const {
  return (locals_.contains(id) ? "local_" : "") + model::object_name(input_.design.objects[id]);
}

std::string ProcessText::condition(ValueId predicate) const {
  if (const llvm::APInt* constant = known(predicate)) return constant->isZero() ? "(false)" : "";
  return fmt::format("({} != 0)", name(predicate));
}

std::string ProcessText::guarded(const Op& op, const std::string& text) const {
  const std::string predicate = condition(op.operands[0]);
  if (predicate == "(false)") return "";
  return predicate.empty() ? text : fmt::format("if {} {}", predicate, text);
}

std::string ProcessText::computed(ValueId value, const std::string& seen_in) const {
  const Op& it = op(value);
  if (it.opcode == Opcode::kInputRead) return object_name(it.object);
  if (it.opcode == Opcode::kRegisterRead) {
    const std::string text = object_name(it.object);
    if (!late_registers_.contains(it.object)) return text;
    return seen_in.empty() ? text + ".value()" : fmt::format("{}.seen_in({})", text, seen_in);
  }
  if (const ValueId only = only_operand(it); only != ir::kNoValue) return name(only);
  std::vector<std::string> operands;
  for (ValueId operand : it.operands) operands.push_back(name(operand));
  return expression(process_, it, operands);
}

std::string ProcessText::address(const Op& op) const {
  const uint32_t bits = bind::address_bits(object(op));
  const ValueId index = op.operands[1];
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  if (const llvm::APInt* constant = known(index))
    return fmt::format("{}u", constant->getLimitedValue() & mask);
  const std::string text = fmt::format("static_cast<uint32_t>({})", name(index));
  return process_.ops[index].width <= bits ? text : fmt::format("({} & {}u)", text, mask);
}

std::string ProcessText::bank(const Op& op) const {
  const ir::Object& ram = object(op);
  if (ram.banks == 1) return "0";
  return fmt::format("{} >> {}", address(op), bind::address_bits(ram) - bind::bank_bits(ram));
}

std::optional<ProcessText::Turn> ProcessText::turn(const Op& op) const {
  if (op.opcode != Opcode::kRamRead && op.opcode != Opcode::kRamWrite) return std::nullopt;
  const auto port = shared_port(input_, op.object, process_index_, op.opcode);
  if (!port) return std::nullopt;
  const auto place = std::find(port->clients.begin(), port->clients.end(), process_index_);
  return Turn{port->arbiter, static_cast<size_t>(place - port->clients.begin()),
              place + 1 == port->clients.end()};
}

bool ProcessText::waits_for_port(const Op& op) const {
  const auto own = turn(op);
  return own && own->client > 0;
}

bool ProcessText::others_write(const Op& op) const {
  const std::vector<size_t>& writers = input_.rams.at(op.object).writers;
  return std::any_of(writers.begin(), writers.end(),
                     [&](size_t writer) { return writer != process_index_; });
}

ProcessText::End ProcessText::end(const Op& op) const {
  const std::string name = object_name(op.object);
  const End item = {name, "has_front", "front_at", "reader_waits", "wait_for_item", true};
  const End space = {name, "knows_space", "space_at", "writer_waits", "wait_for_space", false};
  const auto of = [](End end, const char* member) {
    end.stream += member;
    return end;
  };
  switch (op.opcode) {
    case Opcode::kStreamRead:
      return item;
    case Opcode::kStreamWrite:
      return space;
    case Opcode::kReadBeat:
      return of(item, ".beats");
    case Opcode::kReadRequest:
    case Opcode::kWriteRequest:
      return of(space, ".requests");
    case Opcode::kWriteBeat:
      return of(space, ".beats");
    case Opcode::kWriteWait: {
      End end = of(item, ".idle");
      end.has_item = false;
      return end;
    }
    case Opcode::kRamRead:
    case Opcode::kRamWrite:
    case Opcode::kRegisterRead:
    case Opcode::kRegisterWrite:
    case Opcode::kInputRead:
    case Opcode::kHalt:
    VTA_HLSC_CASES_OF_PURE:
      break;
  }
  VTA_ASSERT(false, "end() of an operation that does not wait");
  return {};
}

std::string ProcessText::effect(ValueId value, const std::string& at) const {
  const Op& it = op(value);
  const bool content = it.object != ir::kNoObject && has_content(it);
  switch (it.opcode) {
    case Opcode::kStreamRead:
    case Opcode::kReadBeat:
      return guarded(it, fmt::format("{}.pop({});", end(it).stream, at));
    case Opcode::kStreamWrite: {
      const bool item = content && it.operands.size() > 1;
      return guarded(it, fmt::format("{}.push({}, {});", end(it).stream, at,
                                     item ? name(it.operands[1]) : "NoContent{}"));
    }
    case Opcode::kWriteBeat:
      return guarded(it, fmt::format("{}.push({}, NoContent{{}});", end(it).stream, at));
    case Opcode::kReadRequest:
    case Opcode::kWriteRequest:
      return guarded(it,
                     fmt::format("{}.push({}, DramRequest{{static_cast<uint32_t>({}), "
                                 "static_cast<uint32_t>({})}});",
                                 end(it).stream, at, name(it.operands[1]), name(it.operands[2])));
    case Opcode::kRamRead:
      if (!is_computed(value)) return "";
      return fmt::format("{} = {}[{}];", name(value), object_name(it.object), address(it));
    case Opcode::kRamWrite: {
      if (!content) return "";
      std::string offset = fmt::format("{}u", it.offset);
      if (it.operands.size() > 3)
        offset += fmt::format(" + static_cast<uint64_t>({}) * {}u", name(it.operands[3]),
                              op(it.operands[2]).width);
      return guarded(
          it, fmt::format("{{ auto& word = {}[{}]; word = inserted(word, {}, {}); }}",
                          object_name(it.object), address(it), name(it.operands[2]), offset));
    }
    case Opcode::kRegisterWrite: {
      if (!content) return "";
      const std::string reg = object_name(it.object), written = name(it.operands[1]);
      return guarded(it, late_registers_.contains(it.object)
                             ? fmt::format("{}.write({}, {});", reg, written, at)
                             : fmt::format("{} = {};", reg, written));
    }
    case Opcode::kRegisterRead:
    case Opcode::kInputRead:
    case Opcode::kWriteWait:
    case Opcode::kHalt:
    VTA_HLSC_CASES_OF_PURE:
      return "";
  }
  return "";
}

}  // namespace vta::hlsc::model
