// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/counter_delays.h"

#include <algorithm>

#include "hw/hlsc/schedule/counter_operations.h"
#include "hw/hlsc/schedule/delay.h"

namespace vta::hlsc::schedule {

using ir::Op;
using ir::ValueId;

std::map<ValueId, double> counter_delays_ns(const ir::Process& process,
                                            const std::vector<const ir::Loop*>& levels) {
  std::map<ValueId, double> ready_ns;
  for_each_counter_operation(levels, [&](ValueId value) {
    const Op& op = process.ops[value];
    double ns = kRegisterNs;
    for (ValueId operand : op.operands) {
      if (const auto found = ready_ns.find(operand); found != ready_ns.end())
        ns = std::max(ns, found->second);
    }
    ready_ns[value] = ir::is_pure(op.opcode) ? ns + delay_ns(process, op) : ns;
  });
  return ready_ns;
}

}  // namespace vta::hlsc::schedule
