// SPDX-License-Identifier: Apache-2.0
//
// What LLVM knows of the loops of a process.
#ifndef VTA_HW_HLSC_FRONT_LOOP_ANALYSES_H_
#define VTA_HW_HLSC_FRONT_LOOP_ANALYSES_H_

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace vta::hlsc::front {

// The process must outlive the analyses, which refer to each other: no copies.
struct LoopAnalyses {
  explicit LoopAnalyses(llvm::Function& process);
  LoopAnalyses(const LoopAnalyses&) = delete;
  LoopAnalyses& operator=(const LoopAnalyses&) = delete;

  // The call that HLS_PIPELINE has put into the loop itself; null if there is none. Loops inside
  // have their own.
  llvm::CallInst* pipeline_marker(const llvm::Loop& loop) const;

  llvm::TargetLibraryInfoImpl library_names;
  llvm::TargetLibraryInfo library;
  llvm::AssumptionCache assumptions;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::ScalarEvolution evolution;
};

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_LOOP_ANALYSES_H_
