// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NAMES_H_
#define VTA_HW_HLSC_EMIT_NAMES_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

// The design with its Verilog names; processes have no bodies. In a name, each character other than
// an ASCII letter, digit, _ or $ (or a leading $) becomes an underscore. Underscores are appended
// while the name or a name derived from it (a port, a wire of the top, a module) would be
//   - a keyword of SystemVerilog,
//   - a name that modules use internally,
//   - a module of hw/rtl, or
//   - derived from another name.
// Of two names that clash, the later one in the design changes; a process changes rather than a
// module, and an object rather than a process.
ir::Design named(const ir::Design& design);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NAMES_H_
