// SPDX-License-Identifier: Apache-2.0
//
// How large a process becomes. Calls are inlined and loops with HLS_UNROLL are copied, so a source
// of ten lines can ask for more instructions than memory holds; both are counted beforehand.
#ifndef VTA_HW_HLSC_FRONT_GROWTH_H_
#define VTA_HW_HLSC_FRONT_GROWTH_H_

#include <llvm/IR/Function.h>

namespace vta::hlsc::front {

// LLVM's instructions of a process: far more than a chip holds, and seconds of work.
constexpr uint64_t kMaxInstructions = 100'000;

// Before calls are inlined. Recursion counts once: it is refused elsewhere.
void refuse_large_inlining(const llvm::Function& process);
// Before loops are unrolled. Names the loop that is copied most often.
void refuse_large_unrolling(llvm::Function& process);
// After loops were unrolled: refuses a loop with HLS_UNROLL that is left.
void refuse_marked_loops(llvm::Function& process);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_GROWTH_H_
