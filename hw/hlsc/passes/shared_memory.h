// SPDX-License-Identifier: Apache-2.0
//
// Memory that several processes use. Streams and ports synchronize the accesses: all accesses of a
// process before it gives an item, a token or a request happen before all accesses of the process
// that takes it, after the taking. Space in a stream synchronizes nothing: it does not show how far
// the process that took an earlier item has come.
#ifndef VTA_HW_HLSC_PASSES_SHARED_MEMORY_H_
#define VTA_HW_HLSC_PASSES_SHARED_MEMORY_H_

#include <set>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::passes {

// RAMs and registers that processes other than `process` read or write.
std::set<ir::ObjectId> used_by_others(const ir::Design& design, const ir::Process& process);

// Objects on which processes other than `process` have this operation.
std::set<ir::ObjectId> used_by_others(const ir::Design& design, const ir::Process& process,
                                      ir::Opcode opcode);

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_SHARED_MEMORY_H_
