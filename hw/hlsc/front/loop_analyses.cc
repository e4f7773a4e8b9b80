// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/loop_analyses.h"

#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

namespace vta::hlsc::front {

LoopAnalyses::LoopAnalyses(llvm::Function& process)
    : library_names(llvm::Triple(process.getParent()->getTargetTriple())),
      library(library_names),
      assumptions(process),
      dominators(process),
      loops(dominators),
      evolution(process, library, assumptions, dominators, loops) {}

llvm::CallInst* LoopAnalyses::pipeline_marker(const llvm::Loop& loop) const {
  for (llvm::BasicBlock* block : loop.blocks()) {
    if (loops.getLoopFor(block) != &loop) continue;
    for (llvm::Instruction& instruction : *block) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call != nullptr && call->getCalledFunction() != nullptr &&
          call->getCalledFunction()->getName() == "__hls_pipeline")
        return call;
    }
  }
  return nullptr;
}

}  // namespace vta::hlsc::front
