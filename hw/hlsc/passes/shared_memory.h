// SPDX-License-Identifier: Apache-2.0
//
// Memory that several processes use. They agree over streams and ports who uses it when: what a
// process did before it gave an item, a token or a request has happened for who took it, and what
// it does after it took one has not happened before. Room is no word about memory: that an item
// could be given does not say how far the taker of an earlier one is.
#ifndef VTA_HW_HLSC_PASSES_SHARED_MEMORY_H_
#define VTA_HW_HLSC_PASSES_SHARED_MEMORY_H_

#include <set>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::passes {

// RAMs and registers that processes other than `process` read or write.
std::set<ir::ObjectId> used_by_others(const ir::Design& design, const ir::Process& process);

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_SHARED_MEMORY_H_
