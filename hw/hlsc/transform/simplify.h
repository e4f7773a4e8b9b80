// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_SIMPLIFY_H_
#define VTA_HW_HLSC_TRANSFORM_SIMPLIFY_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Folds constants and conditions, shares equal operations, moves what a loop does not change in
// front of it, narrows operations to the bits that can be set, drops what has no use.
void simplify(ir::Process& process);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_SIMPLIFY_H_
