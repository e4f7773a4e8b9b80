// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_CARRY_H_
#define VTA_HW_HLSC_TRANSFORM_CARRY_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Makes the phis of nests something that counters alone can compute.
//
// What a pipelined loop carries from what its own body reads becomes a register, named
// <process>_<phi>: read and written by the body, set before the nest (or, where an outer level
// starts it anew, by the first iteration), read after it. Operations of a head that depend on such
// a value, or on a register, are copied into the body where the body needs them.
// Loops around a pipelined loop that carry such values in another way stay loops of their own.
// Errors: kInvalidArgument "file:line: ..." for a pipelined loop whose end depends on its body.
void carry_in_registers(ir::Design& design, ir::Process& process);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_CARRY_H_
