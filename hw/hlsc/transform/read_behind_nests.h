// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_READ_BEHIND_NESTS_H_
#define VTA_HW_HLSC_TRANSFORM_READ_BEHIND_NESTS_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// What a nest (nest.h) reads of registers in its head, and is used behind it, is read again right
// behind it, with what is computed from it: there the registers are what they were when the loop
// ended. The counters of a nest run ahead of its body and keep no such value.
void read_behind_nests(ir::Process& process);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_READ_BEHIND_NESTS_H_
