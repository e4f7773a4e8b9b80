// SPDX-License-Identifier: Apache-2.0
//
// Narrows phis to their demanded bits: it removes the top bits that nothing depends on but the same
// bits of other phis. An address that is only used modulo 2^n counts modulo 2^n. Simplify the
// process again.
#include "hw/hlsc/passes/demanded_bits.h"
#include "hw/hlsc/passes/narrow_phis.h"
#include "hw/hlsc/passes/passes.h"

namespace vta::hlsc::passes {

void eliminate_dead_bits(ir::Design&, ir::Process& process) {
  narrow_phis(process, demanded_bits(process, Slices::kDemand));
}

}  // namespace vta::hlsc::passes
