// SPDX-License-Identifier: Apache-2.0
//
// Initial contents of RAMs and registers: the initializers of their globals.
#ifndef VTA_HW_HLSC_FRONT_INITIAL_VALUES_H_
#define VTA_HW_HLSC_FRONT_INITIAL_VALUES_H_

#include <llvm/ADT/APInt.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::front {

// Before run_llvm_passes(): a `const` RAM stays a RAM instead of becoming a table of LUTs, and
// initializers that clang makes structs of become arrays of words.
// Errors: a RAM, register or input whose initializer clang leaves to a constructor at run time.
void prepare_initial_values(llvm::Module& module);

// Whether the global has an initializer in the source. clang makes no difference between none and
// zeros, so zeros are found in the text of the declaration. A macro of the user's own that makes
// the initializer or the name hides them.
bool has_initializer(const llvm::GlobalVariable& global, const ir::Location& location);

// A constant as it lies in memory; padding is 0. `location`: for errors.
// Errors: values that are not integers.
llvm::APInt bits_of(const llvm::Constant& constant, const llvm::DataLayout& layout,
                    const ir::Location& location);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_INITIAL_VALUES_H_
