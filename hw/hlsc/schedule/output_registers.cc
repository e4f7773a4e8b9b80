// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/output_registers.h"

#include <algorithm>

namespace vta::hlsc::schedule {

using ir::Op;
using ir::Opcode;

bool can_use_output_register(const ir::Design& design, const ir::Process& process,
                             const ir::Sequence& body, ir::ValueId read) {
  const Op& op = process.ops[read];
  if (design.objects[op.object].banks > 1) return false;
  for (const ir::Process& each : design.processes) {
    const bool has_other_read = std::ranges::any_of(each.ops, [&](const Op& other) {
      return other.opcode == Opcode::kRamRead && other.object == op.object && &other != &op;
    });
    if (has_other_read) return false;
  }
  return std::ranges::none_of(body, [&](const ir::Item& item) {
    const Op& other = process.ops[std::get<ir::ValueId>(item)];
    return other.opcode == Opcode::kRamWrite && other.object == op.object;
  });
}

}  // namespace vta::hlsc::schedule
