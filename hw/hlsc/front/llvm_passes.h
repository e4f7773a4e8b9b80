// SPDX-License-Identifier: Apache-2.0
//
// The LLVM passes: afterwards every process is one function in static single assignment form,
// without local memory, and its loops have one entry and one exit.
#ifndef VTA_HW_HLSC_FRONT_LLVM_PASSES_H_
#define VTA_HW_HLSC_FRONT_LLVM_PASSES_H_

#include <llvm/IR/Module.h>

#include <vector>

#include "hw/hlsc/front/variable_names.h"

namespace vta::hlsc::front {

// Values of streams: calls of these take the stream (and the value) and give the value.
constexpr const char* kStreamRead = "hls.stream_read.";
constexpr const char* kStreamWrite = "hls.stream_write.";

// `names` gets the variables of the processes.
// Errors: recursion.
void run_llvm_passes(llvm::Module& module, const std::vector<llvm::Function*>& processes,
                     VariableNames& names);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_LLVM_PASSES_H_
