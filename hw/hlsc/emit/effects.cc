// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/effects.h"

#include <fmt/format.h>

#include <utility>

namespace vta::hlsc::emit {

using ir::Opcode;
using ir::ValueId;

namespace {

// The lanes that one write writes.
Expression reached_lanes(ModuleState& state, Context& context, const ir::Op& op, uint32_t lanes) {
  const ir::Object& ram = state.design.objects[op.object];
  const uint32_t width = state.op(op.operands[2]).width, each = width / ram.lane_width;
  const uint32_t first = op.offset / ram.lane_width;
  llvm::APInt mask(lanes, 0);
  mask.setBits(first, first + each);
  const bool has_lane = op.operands.size() == 4;
  const bool known = has_lane && state.op(op.operands[3]).opcode == Opcode::kConstant;
  if (known) mask <<= state.op(op.operands[3]).constant.getLimitedValue(lanes) * each;
  Expression reached = literal(mask);
  if (has_lane && !known) {
    const Expression lane = context.wire(op.operands[3]);
    const Expression shift =
        each == 1 ? lane : rtl::parentheses(resized(lane, 32) * rtl::number(each));
    reached = rtl::parentheses(rtl::shift_left(reached, shift));
  }
  const Expression predicate = state.predicate(context, op.operands[0]);
  if (predicate.empty()) return reached;
  return rtl::parentheses(rtl::parentheses(for_lanes(lanes, predicate)) & reached);
}

// The bits of a write's value for lane `lane`; absent if the write cannot reach it.
Expression lane_data(ModuleState& state, Context& context, const ir::Op& op, uint32_t lane) {
  const ir::Object& ram = state.design.objects[op.object];
  const uint32_t width = state.op(op.operands[2]).width, each = width / ram.lane_width;
  const uint32_t first = op.offset / ram.lane_width;
  if (lane < first || (op.operands.size() == 3 && lane >= first + each)) return {};
  const uint32_t part = (lane - first) % each;
  const Expression value = context.wire(op.operands[2]);
  if (each == 1) return value;
  if (state.op(op.operands[2]).opcode == Opcode::kConstant) {
    return literal(
        state.op(op.operands[2]).constant.extractBits(ram.lane_width, part * ram.lane_width));
  }
  return rtl::bits(value, part * ram.lane_width, ram.lane_width);
}

// The item that requests a burst from a DRAM port: beats above the address.
Expression request_item(const ModuleState& state, const ir::Op& op, Context& context) {
  const ValueId beats = op.operands[2];
  const Expression high = state.op(beats).opcode == Opcode::kConstant
                              ? literal(state.op(beats).constant.trunc(kBeatCountBits))
                              : resized(context.wire(beats), kBeatCountBits);
  return rtl::concatenation({high, context.wire(op.operands[1])});
}

// The writes of one cycle go to one word: its address, and whether there is a write.
void place(ModuleState& state, Context& context, const std::vector<ValueId>& writes,
           const std::string& suffix, JoinedWrite& joined) {
  const ir::Object& ram = state.design.objects[state.op(writes[0]).object];
  std::vector<Expression> predicates;
  Expression address;
  for (size_t i = writes.size(); i-- > 0;) {
    const ir::Op& op = state.op(writes[i]);
    const Expression predicate = or_true(state.predicate(context, op.operands[0]));
    predicates.insert(predicates.begin(), predicate);
    const Expression index = ram_address(state, op, context);
    address =
        address.empty() || address == index ? index : rtl::conditional(predicate, index, address);
  }
  joined.any = any(predicates);
  joined.address = context.add_value(fmt::format("{}_at_{}", ram.name, suffix),
                                     bind::address_bits(ram), address);
}

// The word of the joined writes; `masks`: the lanes of each.
Expression joined_word(ModuleState& state, Context& context, const std::vector<ValueId>& writes,
                       const std::vector<Expression>& masks) {
  const ir::Object& ram = state.design.objects[state.op(writes[0]).object];
  const uint32_t lanes = bind::num_lanes(ram);
  std::vector<Expression> word;
  for (uint32_t lane = lanes; lane-- > 0;) {
    Expression data;
    for (size_t i = 0; i < writes.size(); ++i) {  // a later write overrides an earlier one
      const Expression value = lane_data(state, context, state.op(writes[i]), lane);
      if (value.empty()) continue;
      const Expression bit = lanes == 1 ? masks[i] : rtl::bits(masks[i], lane, 1);
      data = data.empty() ? value : rtl::parentheses(rtl::conditional(bit, value, data));
    }
    word.push_back(data.empty() ? rtl::literal(ram.lane_width, 0) : data);
  }
  return rtl::concatenation(std::move(word));
}

}  // namespace

void access(ModuleState& state, const ir::Op& op, Context& context, const Expression& wanted,
            const Expression& happens) {
  Ports& ports = state.ports;
  switch (op.opcode) {
    case Opcode::kRamRead:
      return ports.read_ram(
          op.object,
          {.wanted = wanted, .happens = happens, .address = ram_address(state, op, context)});
    case Opcode::kStreamRead:
      return ports.pop(op.object, happens);
    case Opcode::kReadBeat:
      return ports.pop_beat(op.object, happens);
    case Opcode::kStreamWrite: {
      const Expression data = op.operands.size() > 1 ? context.wire(op.operands[1]) : Expression();
      return ports.push(op.object, {.wanted = wanted, .happens = happens, .data = data});
    }
    case Opcode::kWriteBeat:
      return ports.push_beat(
          op.object, {.wanted = wanted, .happens = happens, .data = context.wire(op.operands[1])});
    case Opcode::kReadRequest:
    case Opcode::kWriteRequest:
      return ports.push_request(
          op.object,
          {.wanted = wanted, .happens = happens, .data = request_item(state, op, context)});
    case Opcode::kRamWrite:
    case Opcode::kRegisterRead:
    case Opcode::kRegisterWrite:
    case Opcode::kInputRead:
    case Opcode::kWriteWait:
    case Opcode::kHalt:
    VTA_HLSC_CASES_OF_PURE:
      return;
  }
}

JoinedWrite join_writes(ModuleState& state, Context& context, const std::vector<ValueId>& writes,
                        const std::string& suffix) {
  const ir::Object& ram = state.design.objects[state.op(writes[0]).object];
  const uint32_t lanes = bind::num_lanes(ram);
  std::vector<Expression> masks;
  Expression all;
  for (size_t i = 0; i < writes.size(); ++i) {
    const Expression mask = reached_lanes(state, context, state.op(writes[i]), lanes);
    masks.push_back(
        context.add_value(fmt::format("{}_lanes{}_{}", ram.name, i, suffix), lanes, mask));
    all = either(all, masks.back());
  }
  const Expression word = joined_word(state, context, writes, masks);
  JoinedWrite joined;
  joined.lanes = context.add_value(fmt::format("{}_lanes_{}", ram.name, suffix), lanes, all);
  joined.data = context.add_value(fmt::format("{}_word_{}", ram.name, suffix), ram.width, word);
  place(state, context, writes, suffix, joined);
  return joined;
}

std::vector<rtl::Statement> register_writes(const ModuleState& state,
                                            const std::vector<ValueId>& operations,
                                            Context& context) {
  std::vector<rtl::Statement> statements;
  for (ValueId value : operations) {
    const ir::Op& op = state.op(value);
    if (op.opcode != Opcode::kRegisterWrite) continue;
    const bool always = ir::is_constant(state.process, op.operands[0], 1);
    const Expression predicate = always ? Expression() : context.variable(op.operands[0]);
    rtl::Statement write = rtl::nonblocking(state.object_net(op), context.variable(op.operands[1]));
    statements.push_back(always ? std::move(write) : rtl::if_then(predicate, std::move(write)));
  }
  return statements;
}

Expression ram_address(const ModuleState& state, const ir::Op& op, Context& context) {
  const uint32_t bits = bind::address_bits(state.design.objects[op.object]);
  const ir::Op& index = state.op(op.operands[1]);
  if (index.opcode == Opcode::kConstant) return literal(index.constant.zextOrTrunc(bits));
  // The port does not need extensions of the index.
  ValueId value = op.operands[1];
  while (state.op(value).opcode == Opcode::kZext &&
         state.op(state.op(value).operands[0]).width >= bits)
    value = state.op(value).operands[0];
  return resized(context.wire(value), bits);
}

void keep_word(ModuleState& state, const ir::Object& ram, const std::string& name,
               const Expression& happens) {
  ModuleParts& parts = state.parts;
  const Expression fresh = parts.add_register(name + "_fresh", 1),
                   saved = parts.add_register(name + "_saved", ram.width),
                   word = rtl::net(ram.name + "_rq", ram.width);
  parts.registers.push_back(
      {rtl::NetKind::kWire, ram.width, name + "_q", rtl::conditional(fresh, word, saved)});
  parts.clock(fresh, happens);
  parts.clock(rtl::if_then(fresh, rtl::nonblocking(saved, word)));
}

}  // namespace vta::hlsc::emit
