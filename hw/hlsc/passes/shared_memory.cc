// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/shared_memory.h"

namespace vta::hlsc::passes {

std::set<ir::ObjectId> used_by_others(const ir::Design& design, const ir::Process& process) {
  std::set<ir::ObjectId> used;
  for (const ir::Process& other : design.processes) {
    if (&other == &process) continue;
    for (const ir::Op& op : other.ops) {
      if (ir::accesses_memory(op.opcode)) used.insert(op.object);
    }
  }
  return used;
}

}  // namespace vta::hlsc::passes
