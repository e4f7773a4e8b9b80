// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_UNIT_HW_HLSC_EMIT_LINT_H_
#define VTA_TESTS_UNIT_HW_HLSC_EMIT_LINT_H_

#include <string>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

// The warnings of `verilator --lint-only -Wall` and of `iverilog -Wall` (both views) for the
// design's Verilog with hw/rtl; "" if none. Two warnings of Verilator are off:
//   DECLFILENAME  one file holds all modules of a design
//   UNUSED        a word is kept whole although its user slices it; a port may serve only some of
//                 the processes
std::string lint(const ir::Design& design);

}  // namespace vta::hlsc::emit

#endif  // VTA_TESTS_UNIT_HW_HLSC_EMIT_LINT_H_
