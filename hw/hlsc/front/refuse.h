// SPDX-License-Identifier: Apache-2.0
//
// Places in the source, and errors that name them.
#ifndef VTA_HW_HLSC_FRONT_REFUSE_H_
#define VTA_HW_HLSC_FRONT_REFUSE_H_

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instruction.h>

#include <string>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::front {

// The source line of the instruction; line 0 if LLVM created it.
ir::Location location_of(const llvm::Instruction& instruction);
// The line of the loop's keyword.
ir::Location location_of(const llvm::Loop& loop);
// The line of the function's definition.
ir::Location location_of(const llvm::Function& function);

// Throws an Error "file:line: reason". Instructions without a line have the line of
// their function.
[[noreturn]] void refuse(const llvm::Instruction& instruction, const std::string& reason);
[[noreturn]] void refuse(const ir::Location& location, const std::string& reason);

// "vta::core::Core<Params>::acc" -> "acc"; the mangled name's last part.
std::string member_name(const std::string& mangled);
// The same -> "Core"; empty where there is no class.
std::string class_name(const std::string& mangled);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_REFUSE_H_
