// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/shared_memory.h"

namespace vta::hlsc::passes {

namespace {

template <class Counts>
std::set<ir::ObjectId> objects_of_others(const ir::Design& design, const ir::Process& process,
                                         Counts counts) {
  std::set<ir::ObjectId> used;
  for (const ir::Process& other : design.processes) {
    if (&other == &process) continue;
    for (const ir::Op& op : other.ops) {
      if (counts(op.opcode)) used.insert(op.object);
    }
  }
  return used;
}

}  // namespace

std::set<ir::ObjectId> used_by_others(const ir::Design& design, const ir::Process& process) {
  return objects_of_others(design, process, ir::accesses_memory);
}

std::set<ir::ObjectId> used_by_others(const ir::Design& design, const ir::Process& process,
                                      ir::Opcode opcode) {
  return objects_of_others(design, process, [&](ir::Opcode other) { return other == opcode; });
}

}  // namespace vta::hlsc::passes
