// SPDX-License-Identifier: Apache-2.0
//
// Narrows the phis of loops to the bits that their values can have (value_bits.h): a counter to
// those of its bound or its start, whichever has more. The process must be simplified; simplify it
// again.
#include "hw/hlsc/passes/narrow_phis.h"
#include "hw/hlsc/passes/passes.h"
#include "hw/hlsc/passes/value_bits.h"

namespace vta::hlsc::passes {

void narrow_counters(ir::Design&, ir::Process& process) {
  narrow_phis(process, value_bits(process));
}

}  // namespace vta::hlsc::passes
