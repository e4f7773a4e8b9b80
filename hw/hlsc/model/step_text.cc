// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/step_text.h"

#include <fmt/format.h>

namespace vta::hlsc::model {

using ir::Loop;
using ir::Op;
using ir::ValueId;

std::string assigned_phis(const ProcessText& text, const Loop& loop, bool initial) {
  std::string temporaries, assignments;
  for (const ir::LoopPhi& phi : loop.phis) {
    const ValueId value = initial ? phi.init : phi.next;
    if (!text.is_computed(phi.phi) || value == phi.phi) continue;
    temporaries += fmt::format("const auto next{} = {};\n", phi.phi, text.name(value));
    assignments += fmt::format("{} = next{};\n", text.name(phi.phi), phi.phi);
  }
  return temporaries.empty() ? "" : "{\n" + temporaries + assignments + "}\n";
}

std::string waiting_text(const ProcessText& text, const std::vector<ValueId>& operations,
                         const std::string& since, bool several_waits) {
  std::string result, object;
  Lines ports;
  bool others_wait = false;
  for (ValueId value : operations) {
    const Op& op = text.op(value);
    if (ir::accesses_channel(op.opcode)) {
      const ProcessText::End end = text.end(op);
      std::string wait = fmt::format("{{\nnow = {}(process, {}, now, {}, {});\n", end.wait,
                                     end.stream, object_number(text.object(op)), since);
      if (end.has_item && text.is_computed(value) && op.width > 0)
        wait += fmt::format("{} = {}.front();\n", text.name(value), end.stream);
      result += text.guarded(op, wait + "}\n");
      if (several_waits) result += text.effect(value, "now") + "\n";
    } else if (ir::is_combinational(op.opcode)) {
      if (text.is_computed(value))
        result += fmt::format("{} = {};\n", text.name(value), text.computed(value, ""));
    } else if (const auto port = text.port_client(op)) {
      ports.add(text.guarded(
          op, fmt::format("ports.add({}, {}, {});\n", port->arbiter, port->client, text.bank(op))));
      if (port->client > 0 && !others_wait)
        others_wait = true, object = object_number(text.object(op));
    }
  }
  if (ports.count() == 0) return result;
  const std::string then =
      others_wait ? fmt::format("if (!ports.none()) now = ports.wait(process, now, {}, {});\n",
                                object, since)
                  : "ports.request(now, now);\n";
  return result +
         fmt::format("{{\nPortRequests<{}> ports;\n{}{}}}\n", ports.count(), ports.text(), then);
}

}  // namespace vta::hlsc::model
