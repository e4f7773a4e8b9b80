// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/beat_run.h"

#include <fmt/format.h>

#include "base/errors/error.h"
#include "hw/hlsc/model/innermost_loop.h"
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

// The only operation that the model keeps, if it takes a beat whose data nothing uses.
std::optional<ValueId> only_beat(const NestBody& body) {
  std::optional<ValueId> beat;
  for (ValueId value : body.order()) {
    if (is_left_out(body.text(), value)) continue;
    const bool is_beat = body.text().op(value).opcode == Opcode::kReadBeat;
    if (!is_beat || body.text().is_computed(value) || beat.has_value()) return std::nullopt;
    beat = value;
  }
  return beat;
}

}  // namespace

std::string beat_run(const NestBody& body) {
  if (body.waits_after_first_stage() || body.nest().initiation_interval > 1) return "";
  const std::optional<ValueId> beat = only_beat(body);
  const std::optional<InnermostLoop> loop = InnermostLoop::of(body, false);
  if (!beat.has_value() || !loop.has_value()) return "";
  const Op& read = body.text().op(*beat);
  if (loop->contains(read.operands[0])) return "";
  return body.text().guarded(
      read, fmt::format("if (const uint64_t run = {}.pop_run(issue, {}); run > 0) {{\n{}"
                        "go = issue + run - 1;\nissue = go + 1;\nleft = go + {};\ncontinue;\n}}\n",
                        body.text().end(read).stream, loop->iterations_left(),
                        loop->advanced("run"), body.nest().stages - 1));
}

}  // namespace vta::hlsc::model
