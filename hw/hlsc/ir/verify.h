// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_IR_VERIFY_H_
#define VTA_HW_HLSC_IR_VERIFY_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::ir {

// Widths, operand counts, object kinds, single placement, definition before use (with what loops
// export), one writer and one reader a stream, one writing process a register, pipelined loops
// without loops inside.
// Errors: kInvalidArgument, naming the process, the operation in text form, its source line and
// what is wrong with it.
void verify(const Design& design);

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_VERIFY_H_
