// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/nest_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/hlsc/bind/ram_hazards.h"
#include "hw/hlsc/emit/effects.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// A lane of a word: the whole word if it has one lane.
Expression lane_of(const ir::Object& ram, const Expression& word, uint32_t lane) {
  if (ram.width == ram.lane_width) return word;
  return rtl::bits(word, lane * ram.lane_width, ram.lane_width);
}

// The bit of a lane in an enable of all lanes.
Expression enable_of(const Expression& lanes, uint32_t lane) {
  return lanes.width() == 1 ? lanes : rtl::bits(lanes, lane, 1);
}

}  // namespace

NestWords::NestWords(NestPipeline& pipeline) : pipeline_(pipeline), state_(pipeline.state()) {
  for (ValueId value : pipeline_.order()) {
    if (state_.op(value).opcode != Opcode::kRamRead) continue;
    pipeline_.set_word(value, pipeline_.is_late(value)  ? site_word(value, "_late")
                              : needs_forwarding(value) ? site_word(value, "_word")
                                                        : read_word(value));
  }
}

bool NestWords::needs_keeping(ValueId read) const {
  const Op& op = state_.op(read);
  const std::vector<ValueId>& order = pipeline_.order();
  const auto reads = std::count_if(order.begin(), order.end(), [&](ValueId value) {
    return state_.op(value).opcode == Opcode::kRamRead && state_.op(value).object == op.object;
  });
  return reads > 1 || state_.rams.at(op.object).word_may_change(state_.process_index);
}

bool NestWords::needs_forwarding(ValueId read) const {
  const std::vector<ValueId>& order = pipeline_.order();
  return std::any_of(order.begin(), order.end(), [&](ValueId value) {
    const Op& op = state_.op(value);
    return op.opcode == Opcode::kRamWrite && op.object == state_.op(read).object &&
           bind::forwards(pipeline_, read, value);
  });
}

bool NestWords::may_read_always(ValueId read) const {
  return !pipeline_.is_late(read) && !needs_forwarding(read) && !needs_keeping(read) &&
         !state_.rams.at(state_.op(read).object).is_shared(state_.process_index, Opcode::kRamRead);
}

std::string NestWords::site(ValueId read) const {
  return fmt::format("{}_{}", state_.object_name(read), read);
}
Expression NestWords::site_word(ValueId read, const char* suffix) const {
  return rtl::net(site(read) + suffix, ram_of(read).width);
}
Expression NestWords::site_lanes(ValueId read, const char* suffix) const {
  return rtl::net(site(read) + suffix, bind::num_lanes(ram_of(read)));
}

// The word as the RAM returns it.
Expression NestWords::read_word(ValueId read) const {
  if (needs_keeping(read)) return site_word(read, "_q");
  return rtl::net(state_.object_name(read) + "_rq", ram_of(read).width);
}

void NestWords::write(ir::ObjectId ram, uint32_t stage, const Expression& happens,
                      const JoinedWrite& joined) {
  writes_[ram].push_back({stage, happens, joined});
}

void NestWords::emit(const std::map<ValueId, Expression>& happens) {
  for (const auto& [read, when] : happens) {
    if (needs_keeping(read)) keep_word(state_, ram_of(read), site(read), when);
    if (needs_forwarding(read)) forward(read, when);
  }
}

// The write port's nets, if all writes at the port are of older iterations.
NestWords::Writes NestWords::older_writes(ValueId read) {
  const ir::Object& ram = ram_of(read);
  const std::vector<Write>& all = writes_.at(state_.op(read).object);
  const auto is_older = [&](const Write& write) { return write.stage > pipeline_.stage(read); };
  const uint32_t lanes = bind::num_lanes(ram), address_bits = bind::address_bits(ram);
  if (std::all_of(all.begin(), all.end(), is_older))
    return {rtl::net(ram.name + "_we", lanes), rtl::net(ram.name + "_wa", address_bits),
            rtl::net(ram.name + "_wd", ram.width)};
  Context& here = pipeline_.context(0);
  std::vector<Expression> enables;
  Expression address, data;
  for (const Write& write : all) {
    if (!is_older(write)) continue;
    enables.push_back(rtl::parentheses(for_lanes(lanes, write.happens) & write.joined.lanes));
    const auto choose = [&](Expression& choice, const Expression& value) {
      choice = choice.empty() ? value : rtl::conditional(write.happens, value, choice);
    };
    choose(address, write.joined.address);
    choose(data, write.joined.data);
  }
  const std::string name = site(read) + "_older";
  return {here.add_wire(name + "_we", lanes, any(enables)),
          here.add_wire(name + "_wa", address_bits, address),
          here.add_wire(name + "_wd", ram.width, data)};
}

// A word of which each lane is that of `chosen` or, if its bit of `lanes` is 0, of `otherwise`.
Expression NestWords::merged(ValueId read, const Expression& lanes, const Expression& chosen,
                             const Expression& otherwise) const {
  const ir::Object& ram = ram_of(read);
  std::vector<Expression> word;
  for (uint32_t lane = bind::num_lanes(ram); lane-- > 0;) {
    word.push_back(rtl::conditional(enable_of(lanes, lane), lane_of(ram, chosen, lane),
                                    lane_of(ram, otherwise, lane)));
  }
  return rtl::concatenation(std::move(word));
}

void NestWords::forward(ValueId value, const Expression& happens) {
  const ir::Object& ram = ram_of(value);
  const uint32_t lanes = bind::num_lanes(ram);
  const Writes writes = older_writes(value);
  ModuleParts& parts = state_.parts;
  const Expression met = parts.add_register(site(value) + "_met", lanes),
                   written = parts.add_register(site(value) + "_new", ram.width);
  parts.registers.push_back({rtl::NetKind::kWire, ram.width, site(value) + "_word",
                             merged(value, met, written, read_word(value))});
  const Expression read_address = rtl::net(ram.name + "_ra", writes.address.width());
  const Expression same = rtl::parentheses(rtl::equal(writes.address, read_address));
  const rtl::Statement meets =
      rtl::if_then(happens, rtl::nonblocking(met, writes.enables & for_lanes(lanes, same)));
  if (pipeline_.is_late(value)) return forward_late(value, happens, meets, writes);
  parts.clock(meets);
  // Without a write `met` is 0. The enable of as many flip-flops as the word has bits is a long
  // net, so only simulators, for which a word is expensive, get it with the condition that it is
  // written.
  Expression keeps = happens;
  if (state_.for_simulation) keeps = keeps & rtl::parentheses(rtl::reduce_or(writes.enables));
  parts.clock(rtl::if_then(keeps, rtl::nonblocking(written, writes.data)));
}

// Lanes that are written while the word waits are in it when it advances.
void NestWords::forward_late(ValueId read, const Expression& happens, const rtl::Statement& meets,
                             const Writes& writes) {
  const Op& op = state_.op(read);
  const ir::Object& ram = ram_of(read);
  ModuleParts& parts = state_.parts;
  const uint32_t lanes = bind::num_lanes(ram), stage = pipeline_.stage(read) + 1;
  Context& here = pipeline_.context(stage);
  const Expression same = here.add_wire(
      site(read) + "_same", 1,
      pipeline_.valid(stage) &
          rtl::parentheses(rtl::equal(writes.address, ram_address(state_, op, here))));
  const Expression now =
      here.add_wire(site(read) + "_now", lanes, writes.enables & for_lanes(lanes, same));
  const Expression met = site_lanes(read, "_met"), written = site_word(read, "_new"),
                   late = parts.add_register(site(read) + "_late", ram.width);
  rtl::Statement meets_more = meets;
  meets_more.otherwise.push_back(rtl::nonblocking(met, met | now));
  parts.clock(std::move(meets_more));
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const Expression happens_here = rtl::parentheses(happens & enable_of(writes.enables, lane));
    parts.clock(rtl::if_then(
        happens_here | enable_of(now, lane),
        rtl::nonblocking(lane_of(ram, written, lane), lane_of(ram, writes.data, lane))));
  }
  parts.clock(rtl::if_then(
      both(pipeline_.valid(stage), pipeline_.advances(stage)),
      rtl::nonblocking(late, merged(read, now, writes.data, site_word(read, "_word")))));
}

}  // namespace vta::hlsc::emit
