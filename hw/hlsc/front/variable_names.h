// SPDX-License-Identifier: Apache-2.0
//
// Variables of the source for messages: LLVM splits structs and arrays into values of other names.
#ifndef VTA_HW_HLSC_FRONT_VARIABLE_NAMES_H_
#define VTA_HW_HLSC_FRONT_VARIABLE_NAMES_H_

#include <map>
#include <string>

namespace llvm {
class Function;
}

namespace vta::hlsc::front {

// By the name of a part, with the process for registers: "run_s_sroa_8" -> "s.y1".
using VariableNames = std::map<std::string, std::string>;

// Adds the parts of structs and arrays that are carried from block to block, by LLVM's debug
// information right after scalar replacement: later passes drop or merge some of it.
void add_variable_names(llvm::Function& process, VariableNames& names);

// The text with the variable before each such name: "register s.y1 (run_s_sroa_8_0) is written".
std::string with_variable_names(const std::string& text, const VariableNames& names);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_VARIABLE_NAMES_H_
