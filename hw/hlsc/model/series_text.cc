// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/series_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/error.h"
#include "hw/hlsc/model/counted_loop.h"
#include "hw/hlsc/model/step_text.h"

namespace vta::hlsc::model {

using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

// Whether the operation has no effect in the model: it is pure, or moves data that timing does not
// depend on.
bool is_left_out(const ProcessText& text, ValueId value) {
  const Op& op = text.op(value);
  switch (op.opcode) {
    case Opcode::kRamRead:
      return !text.is_computed(value) && !text.port_client(op);
    case Opcode::kRamWrite:
      return !text.has_content(op) && !text.port_client(op);
    case Opcode::kRegisterWrite:
      return !text.has_content(op);
    case Opcode::kRegisterRead:
      return !text.is_computed(value);
    case Opcode::kInputRead:
    VTA_HLSC_CASES_OF_PURE:
      return true;
    VTA_HLSC_CASES_OF_CHANNELS:
    case Opcode::kHalt:
      return false;
  }
  VTA_ASSERT(false, "an operation without an is_left_out() rule");
  return false;
}

// The only operation that the model keeps, if it requests a burst, or takes a beat whose data
// nothing uses.
std::optional<ValueId> only_access(const NestBody& body) {
  std::optional<ValueId> access;
  for (ValueId value : body.order()) {
    if (is_left_out(body.text(), value)) continue;
    const Opcode opcode = body.text().op(value).opcode;
    const bool is_beat = opcode == Opcode::kReadBeat && !body.text().is_computed(value);
    if (!(is_beat || opcode == Opcode::kReadRequest) || access.has_value()) return std::nullopt;
    access = value;
  }
  return access;
}

// Whether the counters depend on values that are known without waiting only.
bool counts_alone(const NestBody& body) {
  const ProcessText& text = body.text();
  const auto is_alone = [&](const ir::Item& item) {
    const ValueId* value = std::get_if<ValueId>(&item);
    return value == nullptr || is_left_out(text, *value);
  };
  const auto& levels = body.nest().levels;
  return std::all_of(levels.begin(), levels.end(), [&](const ir::Loop* level) {
    return std::all_of(level->head.begin(), level->head.end(), is_alone) &&
           (level == levels.back() ||
            std::all_of(level->body.begin(), level->body.end(), is_alone));
  });
}

// The values of an iteration, and its access.
std::string single_iteration(const NestBody& body, ValueId access, const std::string& planned,
                             const std::string& skipped) {
  const ProcessText& text = body.text();
  std::string declared, computed;
  for (ValueId value : body.in_order()) {
    if (!body.has_variable(value) || !ir::is_combinational(text.op(value).opcode)) continue;
    declared += fmt::format("bits<{}> v{} = 0;\n", text.op(value).width, value);
    computed += fmt::format("{} = {};\n", text.name(value), text.computed(value, ""));
  }
  const std::string condition = text.condition(text.op(access).operands[0]);
  const std::string then = condition.empty() ? planned
                                             : fmt::format("if {} {{\n{}}} else {{\n{}}}\n",
                                                           condition, planned, skipped);
  return "{\n" + declared + computed + then + "}\n";
}

}  // namespace

std::optional<SeriesText> series_text(const NestBody& body) {
  const std::optional<ValueId> access = only_access(body);
  if (!access.has_value() || body.nest().initiation_interval > 1 || !counts_alone(body))
    return std::nullopt;
  const uint32_t stage = body.stage(*access);
  if (stage > 1) return std::nullopt;  // the stages before it would hold idle cycles
  ProcessText& text = body.text();
  const Op& op = text.op(*access);
  const std::string end = text.end(op).stream;
  SeriesText result;
  result.begin =
      fmt::format("auto& series = {}.series;\nseries.begin(process, {}, now, {}, {});\n", end,
                  object_number(text.object(op)), stage, body.nest().stages - 1 - stage);
  result.idle = fmt::format("{}.settle();\nseries.idle();\n", end);
  result.end = fmt::format("{}.settle();\nnow = series.end();\n", end);
  const std::optional<CountedLoop> loop = CountedLoop::innermost(body, false);
  if (op.opcode == Opcode::kReadRequest) {
    result.iteration = single_iteration(
        body, *access,
        fmt::format("{}.plan(DramRequest{{static_cast<uint32_t>({}), static_cast<uint32_t>({})}});"
                    "\n",
                    end, text.name(op.operands[1]), text.name(op.operands[2])),
        "series.skip(1);\n");
  } else if (!loop.has_value() || loop->contains(op.operands[0])) {
    result.iteration =
        single_iteration(body, *access, fmt::format("{}.plan(1);\n", end), "series.skip(1);\n");
  } else {  // all iterations of the innermost loop at once
    const std::string turns = fmt::format("const uint64_t turns = {};\n", loop->iterations_left());
    result.iteration = turns + loop->advanced("turns") +
                       single_iteration(body, *access, fmt::format("{}.plan(turns);\n", end),
                                        "series.skip(turns);\n") +
                       "continue;\n";
  }
  return result;
}

}  // namespace vta::hlsc::model
