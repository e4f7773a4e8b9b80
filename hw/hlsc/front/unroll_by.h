// SPDX-License-Identifier: Apache-2.0
//
// Partial unrolling: loops that HLS_UNROLL_BY(count) marks.
#ifndef VTA_HW_HLSC_FRONT_UNROLL_BY_H_
#define VTA_HW_HLSC_FRONT_UNROLL_BY_H_

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

namespace vta::hlsc::front {

// The count of HLS_UNROLL_BY before the loop; 0 if there is none.
unsigned unroll_count(const llvm::Loop& loop);

// Makes `count` iterations of each marked loop one. A loop that is pipelined stays so, with its
// interval for `count` iterations of the source. Other loops are not changed.
// Errors: a number of iterations that is not a constant multiple of the count.
void unroll_by_counts(llvm::Function& process);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_UNROLL_BY_H_
