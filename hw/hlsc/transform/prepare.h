// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_PREPARE_H_
#define VTA_HW_HLSC_TRANSFORM_PREPARE_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Brings a design into the form that the scheduler takes; it means the same (interpret it before
// and after), and is verified:
// - simplified (simplify.h), sums of many terms as one operation;
// - streams between processes carry no more bits than need be (narrow_streams.h);
// - in pipelined loops, and between waits elsewhere, a register is read at most once, before it is
//   written at most once; likewise reads of a RAM come before its writes (forward.h, which also
//   says what there is more of where processes share a register or RAM);
// - what loops carry has the bits that it can have (narrow_counters.h) and that are used
//   (drop_unused_bits.h);
// - pipelined loops have no effects in their heads (test_first.h);
// - what a nest's counters carry does not depend on what its body reads (carry.h), and what they
//   read of registers is used by nobody else (read_behind_nests.h).
// Errors: kInvalidArgument "file:line: ..." for a pipelined loop whose end depends on its body.
void prepare(ir::Design& design);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_PREPARE_H_
