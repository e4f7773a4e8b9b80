// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/nest_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/hlsc/emit/effects.h"
#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// What selects the lane of a word; "" for the whole.
std::string lane_bits(const ir::Object& ram, uint32_t lane) {
  if (ram.width == ram.lane_width) return "";
  if (ram.lane_width == 1) return fmt::format("[{}]", lane);
  return fmt::format("[{}:{}]", (lane + 1) * ram.lane_width - 1, lane * ram.lane_width);
}

}  // namespace

NestWords::NestWords(NestPipeline& pipeline) : pipeline_(pipeline), state_(pipeline.state()) {
  for (ValueId value : pipeline_.order()) {
    if (state_.op(value).opcode != Opcode::kRamRead) continue;
    pipeline_.set_word(value, pipeline_.is_late(value) ? site(value) + "_late"
                              : meets_writes(value)    ? site(value) + "_word"
                                                       : read_word(value));
  }
}

bool NestWords::needs_keeping(ValueId read) const {
  const Op& op = state_.op(read);
  const std::vector<ValueId>& order = pipeline_.order();
  const auto reads = std::count_if(order.begin(), order.end(), [&](ValueId value) {
    return state_.op(value).opcode == Opcode::kRamRead && state_.op(value).object == op.object;
  });
  return reads > 1 || state_.rams.at(op.object).read_is_shared(state_.process_index);
}

// Whether an older iteration's write can meet the read.
bool NestWords::meets_writes(ValueId read) const {
  const std::vector<ValueId>& order = pipeline_.order();
  return std::any_of(order.begin(), order.end(), [&](ValueId value) {
    const Op& op = state_.op(value);
    return op.opcode == Opcode::kRamWrite && op.object == state_.op(read).object &&
           pipeline_.stage(value) > pipeline_.stage(read);
  });
}

std::string NestWords::site(ValueId read) const {
  return fmt::format("{}_{}", state_.object_name(read), read);
}

// As the RAM gives it.
std::string NestWords::read_word(ValueId read) const {
  return needs_keeping(read) ? site(read) + "_q" : state_.object_name(read) + "_rq";
}

void NestWords::write(ir::ObjectId ram, uint32_t stage, const std::string& happens,
                      const JoinedWrite& joined) {
  writes_[ram].push_back({stage, happens, joined});
}

void NestWords::emit(const std::map<ValueId, std::string>& happens) {
  for (const auto& [read, when] : happens) {
    if (needs_keeping(read))
      keep_word(state_, state_.design.objects[state_.op(read).object], site(read), when);
    if (meets_writes(read)) forward(read, when);
  }
}

// What the port writes, if that can only be of older iterations.
NestWords::Writes NestWords::older_writes(ValueId read) {
  const ir::Object& ram = state_.design.objects[state_.op(read).object];
  const std::vector<Write>& all = writes_.at(state_.op(read).object);
  const auto is_older = [&](const Write& write) { return write.stage > pipeline_.stage(read); };
  if (std::all_of(all.begin(), all.end(), is_older))
    return {ram.name + "_we", ram.name + "_wa", ram.name + "_wd"};
  Context& here = pipeline_.context(0);
  const uint32_t lanes = ram.width / ram.lane_width;
  std::vector<std::string> enables;
  std::string address, data;
  for (const Write& write : all) {
    if (!is_older(write)) continue;
    const std::string happens =
        lanes == 1 ? write.happens : fmt::format("{{{}{{{}}}}}", lanes, write.happens);
    enables.push_back(fmt::format("({} & {})", happens, write.joined.lanes));
    const auto choose = [&](std::string& text, const std::string& value) {
      text = text.empty() ? value : fmt::format("{} ? {} : {}", write.happens, value, text);
    };
    choose(address, write.joined.address);
    choose(data, write.joined.data);
  }
  const std::string name = site(read) + "_older";
  return {here.add_wire(name + "_we", lanes, any(enables)),
          here.add_wire(name + "_wa", bind::address_bits(ram), address),
          here.add_wire(name + "_wd", ram.width, data)};
}

// A word of which each lane is `chosen` or, if its bit of `lanes` is 0, `otherwise`.
std::string NestWords::merged(ValueId read, const std::string& lanes, const std::string& chosen,
                              const std::string& otherwise) const {
  const ir::Object& ram = state_.design.objects[state_.op(read).object];
  const uint32_t num_lanes = ram.width / ram.lane_width;
  std::string word;
  for (uint32_t lane = num_lanes; lane-- > 0;) {
    const std::string bits = lane_bits(ram, lane);
    const std::string bit = num_lanes == 1 ? lanes : fmt::format("{}[{}]", lanes, lane);
    word += fmt::format("{} ? {}{} : {}{}{}", bit, chosen, bits, otherwise, bits,
                        lane == 0 ? "" : ", ");
  }
  return "{" + word + "}";
}

void NestWords::forward(ValueId value, const std::string& happens) {
  const ir::Object& ram = state_.design.objects[state_.op(value).object];
  const std::string site = this->site(value);
  const uint32_t lanes = ram.width / ram.lane_width;
  const Writes writes = older_writes(value);
  state_.text.registers +=
      fmt::format("  reg {}{}_met;\n  reg {}{}_new;\n", range(lanes), site, range(ram.width), site);
  state_.text.registers +=
      fmt::format("  wire {}{}_word = {};\n", range(ram.width), site,
                  merged(value, site + "_met", site + "_new", read_word(value)));
  const std::string same = fmt::format("({} == {}_ra)", writes.address, ram.name);
  const std::string mask = lanes == 1 ? same : fmt::format("{{{}{{{}}}}}", lanes, same);
  const std::string meets =
      fmt::format("    if ({}) {}_met <= {} & {};\n", happens, site, writes.enables, mask);
  if (pipeline_.is_late(value)) return wait(value, happens, meets, writes);
  state_.text.clocked += meets + fmt::format("    if ({} & (|{})) {}_new <= {};\n", happens,
                                             writes.enables, site, writes.data);
}

// What is written while the word waits is in it when it moves on.
void NestWords::wait(ValueId read, const std::string& happens, const std::string& meets,
                     const Writes& writes) {
  const Op& op = state_.op(read);
  const ir::Object& ram = state_.design.objects[op.object];
  const std::string site = this->site(read);
  const uint32_t lanes = ram.width / ram.lane_width, stage = pipeline_.stage(read) + 1;
  Context& here = pipeline_.context(stage);
  const std::string same =
      here.add_wire(site + "_same", 1,
                    fmt::format("{} & ({} == {})", pipeline_.valid(stage), writes.address,
                                ram_address(state_, op, here)));
  const std::string now =
      here.add_wire(site + "_now", lanes,
                    fmt::format("{} & {}", writes.enables,
                                lanes == 1 ? same : fmt::format("{{{}{{{}}}}}", lanes, same)));
  state_.text.registers += fmt::format("  reg {}{}_late;\n", range(ram.width), site);
  state_.text.clocked += meets + fmt::format("    else {0}_met <= {0}_met | {1};\n", site, now);
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const std::string bits = lane_bits(ram, lane);
    const std::string bit = lanes == 1 ? "" : fmt::format("[{}]", lane);
    state_.text.clocked +=
        fmt::format("    if (({} & {}{}) | {}{}) {}_new{} <= {}{};\n", happens, writes.enables, bit,
                    now, bit, site, bits, writes.data, bits);
  }
  state_.text.clocked += fmt::format("    if ({}) {}_late <= {};\n",
                                     both(pipeline_.valid(stage), pipeline_.advances(stage)), site,
                                     merged(read, now, writes.data, site + "_word"));
}

}  // namespace vta::hlsc::emit
