// SPDX-License-Identifier: Apache-2.0
//
// Rewriting of process IR into the form that the scheduler takes. Each keeps the design's meaning
// (interpret it before and after) and the IR verified.
#ifndef VTA_HW_HLSC_TRANSFORM_TRANSFORM_H_
#define VTA_HW_HLSC_TRANSFORM_TRANSFORM_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Folds constants, applies identities (also and(ne(a, b), eq(a, b)) = 0 through conjunctions,
// select chains on one condition, slices of concats), shares equal operations whose operands are
// equal, drops what has no use and no effect, collects single-use chains of add into sum.
void simplify(ir::Process& process);

// Values that a pipelined loop computes from what its own body reads, and carries to the next
// iteration, become registers (objects named <process>_<phi>): the loop's phis are then control
// only, which the issue stage can compute. Initial values are written before the loop, final ones
// read after it. Loops around it whose phis only hand such a value through lose them too.
void carry_in_registers(ir::Design& design, ir::Process& process);

// In each sequence between loops: a register is read before it is written, once each; reads after a
// write take the written value. In pipelined bodies the same for RAMs: every read comes before
// every write; a read after a write becomes a select between the word read and the value written,
// by predicate, index and lane. Writes of one RAM with equal index become one.
void forward_memory(const ir::Design& design, ir::Process& process);

// Shrinks operations to the bits that can be set or are used (loop counters too, where their bound
// is known).
void narrow(ir::Process& process);

// All of the above in the right order, to a fixed point, on every process; verified.
void prepare(ir::Design& design);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_TRANSFORM_H_
