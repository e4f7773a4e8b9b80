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

NestWords::NestWords(NestPipeline& pipeline) : pipeline_(pipeline), state_(pipeline.state()) {
  for (ValueId value : pipeline_.order()) {
    if (state_.op(value).opcode != Opcode::kRamRead) continue;
    pipeline_.set_word(value, meets_writes(value) ? site(value) + "_word" : read_word(value));
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
           pipeline_.stage_of(value) > pipeline_.stage_of(read);
  });
}

std::string NestWords::site(ValueId read) const {
  return fmt::format("{}_{}", state_.object_name(read), read);
}

// As the RAM gives it.
std::string NestWords::read_word(ValueId read) const {
  return needs_keeping(read) ? site(read) + "_q" : state_.object_name(read) + "_rq";
}

void NestWords::emit(const std::map<ValueId, std::string>& happens) {
  for (const auto& [read, when] : happens) {
    if (needs_keeping(read))
      keep_word(state_, state_.design.objects[state_.op(read).object], site(read), when);
    if (meets_writes(read)) forward(read, when);
  }
}

void NestWords::forward(ValueId value, const std::string& happens) {
  const ir::Object& ram = state_.design.objects[state_.op(value).object];
  const std::string site = this->site(value), read = read_word(value);
  const uint32_t lanes = ram.width / ram.lane_width;
  state_.text.registers +=
      fmt::format("  reg {}{}_met;\n  reg {}{}_new;\n", range(lanes), site, range(ram.width), site);
  std::string word;
  for (uint32_t lane = lanes; lane-- > 0;) {
    const std::string bits =
        lanes == 1 ? ""
        : ram.lane_width == 1
            ? fmt::format("[{}]", lane)
            : fmt::format("[{}:{}]", (lane + 1) * ram.lane_width - 1, lane * ram.lane_width);
    const std::string met = lanes == 1 ? site + "_met" : fmt::format("{}_met[{}]", site, lane);
    word +=
        fmt::format("{} ? {}_new{} : {}{}{}", met, site, bits, read, bits, lane == 0 ? "" : ", ");
  }
  state_.text.registers +=
      fmt::format("  wire {}{}_word = {{{}}};\n", range(ram.width), site, word);
  const std::string same = fmt::format("({0}_wa == {0}_ra)", ram.name);
  const std::string mask = lanes == 1 ? same : fmt::format("{{{}{{{}}}}}", lanes, same);
  state_.text.clocked += fmt::format(
      "    if ({0}) {1}_met <= {2}_we & {3};\n    if ({0} & (|{2}_we)) {1}_new <= {2}_wd;\n",
      happens, site, ram.name, mask);
}

}  // namespace vta::hlsc::emit
