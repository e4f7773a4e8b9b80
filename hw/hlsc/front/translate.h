// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_FRONT_TRANSLATE_H_
#define VTA_HW_HLSC_FRONT_TRANSLATE_H_

#include <llvm/IR/Function.h>

#include "hw/hlsc/front/globals.h"
#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::front {

// Translates a process: loops become ir::Loop, branches become predicates.
// Errors: code outside the subset, by file and line (hw/hlsc/front/README.md lists the reasons).
ir::Process translate(llvm::Function& function, const Globals& globals);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_TRANSLATE_H_
