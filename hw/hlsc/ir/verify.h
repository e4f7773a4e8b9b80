// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_IR_VERIFY_H_
#define VTA_HW_HLSC_IR_VERIFY_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::ir {

// Checks that a design is well formed: widths, operand counts, kinds of objects; each operation is
// in one sequence, and defined before its uses (walk.h: exports of loops). A stream has one reader
// and one writer, a register one writing process. Pipelined loops hold no loops. Errors:
// kInvalidArgument with the process, the operation, its source line and the reason.
void verify(const Design& design);

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_VERIFY_H_
