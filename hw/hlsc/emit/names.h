// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NAMES_H_
#define VTA_HW_HLSC_EMIT_NAMES_H_

#include <string>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

// The name as an identifier of SystemVerilog; an underscore behind it where it is a keyword, or a
// name that all modules have (clk, rst, states). Different names stay different.
std::string legal_name(const std::string& name);

// What the object's name becomes in the text: that of a register or input stands alone, all others
// have something behind it.
std::string signal_name(const ir::Object& object);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NAMES_H_
