// SPDX-License-Identifier: Apache-2.0
//
// The text form of the process IR (hw/hlsc/ir/README.md). print() and parse() are inverse:
// parse(print(design)) prints the same text.
#ifndef VTA_HW_HLSC_IR_TEXT_H_
#define VTA_HW_HLSC_IR_TEXT_H_

#include <string>
#include <string_view>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::ir {

std::string print(const Design& design);

// Checks the syntax only: verify() the result.
// Errors: kInvalidArgument with `source_name`, the line and the token.
Design parse(std::string_view text, const std::string& source_name);

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_TEXT_H_
