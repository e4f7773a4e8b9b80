// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NAMES_H_
#define VTA_HW_HLSC_EMIT_NAMES_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

// The design with the names that its text has, without the processes' bodies. A name is the
// source's with an underscore for each character that is no ASCII letter, digit, _ or $ (nor a $ in
// front), and has underscores behind it where something that is made of it (a port, the top's
// wires, a module) would otherwise be a keyword of SystemVerilog, a name that modules make for
// themselves, a module of hw/rtl, or what is made of another name. Of two that clash the later one
// in the design gives way; a process gives way to the modules, and an object to processes.
ir::Design named(const ir::Design& design);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NAMES_H_
