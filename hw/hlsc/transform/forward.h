// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_FORWARD_H_
#define VTA_HW_HLSC_TRANSFORM_FORWARD_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Hands values on inside a process instead of through its registers and RAMs.
//
// Registers: a read takes what is known of the register; writes become one, in pipelined loops at
// the end of the body, elsewhere before the next operation that may wait (what the process shows in
// a register is seen while it waits). In pipelined loops what another process reads is written
// before an operation by which that process may learn of it.
// RAMs, in pipelined loops: a read after a write takes the value written where predicate, index
// and lane say so, hence all reads may come before all writes. What other processes use
// (shared_memory.h) is read anew behind an operation that takes something.
void forward_memory(const ir::Design& design, ir::Process& process);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_FORWARD_H_
