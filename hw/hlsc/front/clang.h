// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_FRONT_CLANG_H_
#define VTA_HW_HLSC_FRONT_CLANG_H_

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

#include "hw/hlsc/front/front_end.h"

namespace vta::hlsc::front {

// The module of a source, before any optimization; clang's warnings, each "file:line: text".
// Errors: kInvalidArgument with clang's first error; kIo if clang cannot be run.
std::unique_ptr<llvm::Module> run_clang(const Source& source, llvm::LLVMContext& context,
                                        std::vector<std::string>& warnings);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_CLANG_H_
