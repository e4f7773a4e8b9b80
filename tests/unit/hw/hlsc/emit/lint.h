// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_UNIT_HW_HLSC_EMIT_LINT_H_
#define VTA_TESTS_UNIT_HW_HLSC_EMIT_LINT_H_

#include <string>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

// What `verilator --lint-only -Wall` says of the design's Verilog beside hw/rtl; "" if nothing.
// Two warnings are off:
//   DECLFILENAME  one file holds all modules of a design
//   UNUSED        a word is kept whole though its user slices it; ports carry what one of several
//                 processes needs
std::string lint(const ir::Design& design);

}  // namespace vta::hlsc::emit

#endif  // VTA_TESTS_UNIT_HW_HLSC_EMIT_LINT_H_
