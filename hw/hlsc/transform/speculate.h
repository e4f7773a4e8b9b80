// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_SPECULATE_H_
#define VTA_HW_HLSC_TRANSFORM_SPECULATE_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// In pipelined loops: a read of a RAM does not wait for a register that an earlier iteration writes
// because of what it read there. The part of its predicate that asks such a register is dropped: a
// read that is not wanted does no harm, and the body's effects ask the register themselves.
void speculate_reads(ir::Process& process);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_SPECULATE_H_
