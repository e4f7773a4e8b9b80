// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/effects.h"

#include <fmt/format.h>

#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

using ir::Opcode;
using ir::ValueId;

namespace {

// The lanes that one write reaches.
std::string reached_lanes(ModuleState& state, Context& context, const ir::Op& op, uint32_t lanes) {
  const ir::Object& ram = state.design.objects[op.object];
  const uint32_t width = state.op(op.operands[2]).width, each = width / ram.lane_width;
  const uint32_t first = op.offset / ram.lane_width;
  llvm::APInt mask(lanes, 0);
  mask.setBits(first, first + each);
  const bool has_lane = op.operands.size() == 4;
  const bool known = has_lane && state.op(op.operands[3]).opcode == Opcode::kConstant;
  if (known) mask <<= state.op(op.operands[3]).constant.getLimitedValue(lanes) * each;
  std::string text = literal(mask);
  if (has_lane && !known) {
    const std::string lane = context.wire(op.operands[3]);
    text = each == 1 ? fmt::format("({} << {})", text, lane)
                     : fmt::format("({} << ({} * {}))", text,
                                   resized(lane, state.op(op.operands[3]).width, 32), each);
  }
  const std::string predicate = state.predicate(context, op.operands[0]);
  if (predicate.empty()) return text;
  return fmt::format("(({}{}{}) & {})", lanes == 1 ? "" : fmt::format("{{{}{{", lanes), predicate,
                     lanes == 1 ? "" : "}}", text);
}

// The bits of a write's value that lane `lane` would get; "" if it cannot be reached.
std::string lane_data(ModuleState& state, Context& context, const ir::Op& op, uint32_t lane) {
  const ir::Object& ram = state.design.objects[op.object];
  const uint32_t width = state.op(op.operands[2]).width, each = width / ram.lane_width;
  const uint32_t first = op.offset / ram.lane_width;
  if (lane < first || (op.operands.size() == 3 && lane >= first + each)) return "";
  const uint32_t part = (lane - first) % each;
  const std::string value = context.wire(op.operands[2]);
  if (each == 1) return value;
  if (state.op(op.operands[2]).opcode == Opcode::kConstant) {
    return literal(
        state.op(op.operands[2]).constant.extractBits(ram.lane_width, part * ram.lane_width));
  }
  if (ram.lane_width == 1) return fmt::format("{}[{}]", value, part);
  return fmt::format("{}[{}:{}]", value, (part + 1) * ram.lane_width - 1, part * ram.lane_width);
}

// The item that asks a DRAM port for a burst: beats above the address.
std::string request_item(const ModuleState& state, const ir::Op& op, Context& context) {
  const ValueId beats = op.operands[2];
  const std::string low = state.op(beats).opcode == Opcode::kConstant
                              ? literal(state.op(beats).constant.trunc(16))
                              : resized(context.wire(beats), 32, 16);
  return fmt::format("{{{}, {}}}", low, context.wire(op.operands[1]));
}

// Writes of one cycle go to one word: where that is, and whether there is one.
void place(ModuleState& state, Context& context, const std::vector<ValueId>& writes,
           const std::string& suffix, JoinedWrite& joined) {
  const ir::Object& ram = state.design.objects[state.op(writes[0]).object];
  std::vector<std::string> predicates;
  std::string address;
  for (size_t i = writes.size(); i-- > 0;) {
    const ir::Op& op = state.op(writes[i]);
    const std::string predicate = or_true(state.predicate(context, op.operands[0]));
    predicates.insert(predicates.begin(), predicate);
    const std::string index = ram_address(state, op, context);
    address = address.empty() || address == index
                  ? index
                  : fmt::format("{} ? {} : {}", predicate, index, address);
  }
  joined.any = any(predicates);
  joined.address = context.add_value(fmt::format("{}_at_{}", ram.name, suffix),
                                     bind::address_bits(ram), address);
}

}  // namespace

void access(ModuleState& state, const ir::Op& op, Context& context, const std::string& wanted,
            const std::string& happens) {
  Ports& ports = state.ports;
  switch (op.opcode) {
    case Opcode::kRamRead:
      return ports.read_ram(op.object, {wanted, happens, ram_address(state, op, context), "", ""});
    case Opcode::kStreamRead:
      return ports.pop(op.object, happens);
    case Opcode::kReadBeat:
      return ports.pop_beat(op.object, happens);
    case Opcode::kStreamWrite: {
      const std::string data = op.operands.size() > 1 ? context.wire(op.operands[1]) : "";
      return ports.push(op.object, {wanted, happens, "", "", data});
    }
    case Opcode::kWriteBeat:
      return ports.push_beat(op.object, {wanted, happens, "", "", context.wire(op.operands[1])});
    case Opcode::kReadRequest:
    case Opcode::kWriteRequest:
      return ports.push_request(op.object,
                                {wanted, happens, "", "", request_item(state, op, context)});
    default:
      return;
  }
}

JoinedWrite join_writes(ModuleState& state, Context& context, const std::vector<ValueId>& writes,
                        const std::string& suffix) {
  const ir::Object& ram = state.design.objects[state.op(writes[0]).object];
  const uint32_t lanes = ram.width / ram.lane_width;
  std::vector<std::string> masks;
  std::string all;
  for (size_t i = 0; i < writes.size(); ++i) {
    const std::string mask = reached_lanes(state, context, state.op(writes[i]), lanes);
    masks.push_back(
        context.add_value(fmt::format("{}_lanes{}_{}", ram.name, i, suffix), lanes, mask));
    all = either(all, masks.back());
  }
  std::string word;
  for (uint32_t lane = lanes; lane-- > 0;) {
    std::string data;
    for (size_t i = 0; i < writes.size(); ++i) {  // a later one goes over an earlier one
      const std::string value = lane_data(state, context, state.op(writes[i]), lane);
      if (value.empty()) continue;
      const std::string bit = lanes == 1 ? masks[i] : fmt::format("{}[{}]", masks[i], lane);
      data = data.empty() ? value : fmt::format("({} ? {} : {})", bit, value, data);
    }
    if (data.empty()) data = fmt::format("{}'d0", ram.lane_width);
    word += data + (lane == 0 ? "" : ", ");
  }
  JoinedWrite joined;
  joined.lanes = context.add_value(fmt::format("{}_lanes_{}", ram.name, suffix), lanes, all);
  joined.data =
      context.add_value(fmt::format("{}_word_{}", ram.name, suffix), ram.width, "{" + word + "}");
  place(state, context, writes, suffix, joined);
  return joined;
}

std::string register_writes(const ModuleState& state, const std::vector<ValueId>& operations,
                            Context& context) {
  std::string text;
  for (ValueId value : operations) {
    const ir::Op& op = state.op(value);
    if (op.opcode != Opcode::kRegisterWrite) continue;
    const bool always = ir::is_constant(state.process, op.operands[0], 1);
    text += fmt::format("      {}{} <= {};\n",
                        always ? "" : fmt::format("if ({}) ", context.variable(op.operands[0])),
                        state.object_name(value), context.variable(op.operands[1]));
  }
  return text;
}

std::string ram_address(const ModuleState& state, const ir::Op& op, Context& context) {
  const uint32_t bits = bind::address_bits(state.design.objects[op.object]);
  const ir::Op& index = state.op(op.operands[1]);
  if (index.opcode == Opcode::kConstant) return literal(index.constant.zextOrTrunc(bits));
  // Extensions of the index are of no use to the port.
  ValueId value = op.operands[1];
  while (state.op(value).opcode == Opcode::kZext &&
         state.op(state.op(value).operands[0]).width >= bits)
    value = state.op(value).operands[0];
  return resized(context.wire(value), state.op(value).width, bits);
}

void keep_word(ModuleState& state, const ir::Object& ram, const std::string& name,
               const std::string& happens) {
  state.text.registers +=
      fmt::format("  reg {0}_fresh;\n  reg {1}{0}_saved;\n", name, range(ram.width));
  state.text.registers += fmt::format("  wire {1}{0}_q = {0}_fresh ? {2}_rq : {0}_saved;\n", name,
                                      range(ram.width), ram.name);
  state.text.clocked += fmt::format(
      "    {0}_fresh <= {1};\n    if ({0}_fresh) {0}_saved <= {2}_rq;\n", name, happens, ram.name);
}

}  // namespace vta::hlsc::emit
