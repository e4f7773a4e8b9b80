// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/process_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/error.h"
#include "hw/hlsc/model/expression.h"

namespace vta::hlsc::model {

using ir::ObjectId;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

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

std::optional<ValueId> ProcessText::only_operand(const Op& op) const {
  if (op.opcode == Opcode::kSelect) {
    const llvm::APInt* condition = known(op.operands[0]);
    if (condition == nullptr) return std::nullopt;
    return op.operands[condition->isZero() ? 2 : 1];
  }
  if (op.opcode != Opcode::kAnd && op.opcode != Opcode::kOr) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    const llvm::APInt* other = known(op.operands[1 - i]);
    if (other == nullptr) continue;
    if (op.opcode == Opcode::kAnd ? other->isAllOnes() : other->isZero()) return op.operands[i];
  }
  return std::nullopt;
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
  const ValueId guard = op.operands[0];
  if (const llvm::APInt* constant = known(guard); constant != nullptr && constant->isZero())
    return "";
  const std::string predicate = condition(guard);
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
  if (const auto only = only_operand(it)) return name(*only);
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

std::optional<ProcessText::PortClient> ProcessText::port_client(const Op& op) const {
  if (op.opcode != Opcode::kRamRead && op.opcode != Opcode::kRamWrite) return std::nullopt;
  const auto port = shared_port(input_, op.object, process_index_, op.opcode);
  if (!port) return std::nullopt;
  const auto place = std::find(port->clients.begin(), port->clients.end(), process_index_);
  return PortClient{port->arbiter, static_cast<size_t>(place - port->clients.begin()),
                    place + 1 == port->clients.end()};
}

bool ProcessText::waits_for_port(const Op& op) const {
  const auto own = port_client(op);
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
  const End& own = ir::takes(op.opcode) ? item : space;
  switch (ir::info(op.opcode).channel) {
    case ir::Channel::kStream:
      return own;
    case ir::Channel::kRequests:
      return of(own, ".requests");
    case ir::Channel::kBeats:
      return of(own, ".beats");
    case ir::Channel::kResponses: {
      End end = of(own, ".idle");
      end.has_item = false;
      return end;
    }
    case ir::Channel::kNoChannel:
      break;
  }
  VTA_ASSERT(false, "end() of an operation that does not wait");
  return {};
}

std::string ProcessText::push(const Op& op, const std::string& at, const std::string& item) const {
  return guarded(op, fmt::format("{}.push({}, {});", end(op).stream, at, item));
}

std::string ProcessText::ram_write(const Op& op) const {
  if (!has_content(op)) return "";
  const ValueId written = op.operands[2];
  std::string offset = fmt::format("{}u", op.offset);
  if (op.operands.size() > 3)
    offset += fmt::format(" + static_cast<uint64_t>({}) * {}u", name(op.operands[3]),
                          process_.ops[written].width);
  return guarded(op, fmt::format("{{ auto& word = {}[{}]; word = inserted(word, {}, {}); }}",
                                 object_name(op.object), address(op), name(written), offset));
}

std::string ProcessText::register_write(const Op& op, const std::string& at) const {
  if (!has_content(op)) return "";
  const std::string reg = object_name(op.object), written = name(op.operands[1]);
  return guarded(op, is_late_register(op.object)
                         ? fmt::format("{}.write({}, {});", reg, written, at)
                         : fmt::format("{} = {};", reg, written));
}

std::string ProcessText::effect(ValueId value, const std::string& at) const {
  const Op& it = op(value);
  switch (it.opcode) {
    case Opcode::kStreamRead:
    case Opcode::kReadBeat:
      return guarded(it, fmt::format("{}.pop({});", end(it).stream, at));
    case Opcode::kStreamWrite:
      return push(it, at,
                  has_content(it) && it.operands.size() > 1 ? name(it.operands[1]) : "NoContent{}");
    case Opcode::kWriteBeat:
      return push(it, at, "NoContent{}");
    case Opcode::kReadRequest:
    case Opcode::kWriteRequest:
      return push(it, at,
                  fmt::format("DramRequest{{static_cast<uint32_t>({}), static_cast<uint32_t>({})}}",
                              name(it.operands[1]), name(it.operands[2])));
    case Opcode::kRamRead:
      if (!is_computed(value)) return "";
      return fmt::format("{} = {}[{}];", name(value), object_name(it.object), address(it));
    case Opcode::kRamWrite:
      return ram_write(it);
    case Opcode::kRegisterWrite:
      return register_write(it, at);
    case Opcode::kRegisterRead:
    case Opcode::kInputRead:
    case Opcode::kWriteWait:
    case Opcode::kHalt:
    VTA_HLSC_CASES_OF_PURE:
      return "";
  }
  VTA_ASSERT(false, "an operation without an effect() rule");
  return "";
}

}  // namespace vta::hlsc::model
