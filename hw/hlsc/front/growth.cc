// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/growth.h"

#include <fmt/format.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <map>

#include "hw/hlsc/front/loop_analyses.h"
#include "hw/hlsc/front/refuse.h"
#include "hw/hlsc/front/unroll_by.h"

namespace vta::hlsc::front {
namespace {

bool is_marked(const llvm::Loop& loop) {
  return llvm::findStringMetadataForLoop(&loop, "llvm.loop.unroll.full").has_value();
}

// Counts of instructions of functions whose calls are inlined.
class InlinedSizes {
 public:
  uint64_t of(const llvm::Function& function) {
    const auto [known, is_new] = sizes_.try_emplace(&function, 0);
    if (!is_new) return known->second;  // 0 within recursion
    uint64_t size = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      const bool is_inlined = callee != nullptr && !callee->isDeclaration();
      size = llvm::SaturatingAdd(size, is_inlined ? of(*callee) : uint64_t{1});
    }
    return sizes_[&function] = size;
  }

 private:
  std::map<const llvm::Function*, uint64_t> sizes_;
};

class UnrolledSize {
 public:
  explicit UnrolledSize(llvm::Function& process)
      : analyses_(process), evolution_(analyses_.evolution) {
    for (const llvm::BasicBlock& block : process) {
      const uint64_t copies = copies_of(analyses_.loops.getLoopFor(&block));
      size_ = llvm::SaturatingAdd(size_, llvm::SaturatingMultiply(copies, uint64_t{block.size()}));
    }
  }

  uint64_t size() const { return size_; }
  uint64_t most_copies() const { return most_copies_; }
  const llvm::Loop* most_copied() const { return most_copied_; }

 private:
  // As the unrolling counts; the most trips where the count depends on other loops only, which are
  // unrolled first. 1 if the count is not constant: such a loop is not unrolled.
  uint64_t trips_of(const llvm::Loop& loop) {
    llvm::SmallVector<llvm::BasicBlock*> exiting;
    loop.getExitingBlocks(exiting);
    uint64_t trips = 0;
    for (const llvm::BasicBlock* block : exiting) {
      const uint64_t exact = evolution_.getSmallConstantTripCount(&loop, block);
      if (exact != 0 && (trips == 0 || exact < trips)) trips = exact;
    }
    const bool is_open =
        llvm::SCEVExprContains(evolution_.getBackedgeTakenCount(&loop), [](const llvm::SCEV* part) {
          return llvm::isa<llvm::SCEVUnknown, llvm::SCEVCouldNotCompute>(part);
        });
    if (trips == 0 && !is_open) trips = evolution_.getSmallConstantMaxTripCount(&loop);
    if (trips > 1 && !loop.isRotatedForm()) --trips;  // the last trip ends in the head
    return std::max<uint64_t>(trips, 1);
  }

  uint64_t copies_of(const llvm::Loop* innermost) {
    uint64_t copies = 1;
    for (const llvm::Loop* loop = innermost; loop != nullptr; loop = loop->getParentLoop()) {
      const uint64_t by = is_marked(*loop) ? trips_of(*loop) : unroll_count(*loop);
      copies = llvm::SaturatingMultiply(copies, std::max<uint64_t>(by, 1));
    }
    if (copies > most_copies_) {
      most_copies_ = copies;
      most_copied_ = innermost;
    }
    return copies;
  }

  LoopAnalyses analyses_;
  llvm::ScalarEvolution& evolution_;
  uint64_t size_ = 0, most_copies_ = 1;
  const llvm::Loop* most_copied_ = nullptr;
};

}  // namespace

void refuse_large_inlining(const llvm::Function& process) {
  const uint64_t size = InlinedSizes().of(process);
  if (size <= kMaxInstructions) return;
  refuse(location_of(process),
         fmt::format("this process has {} instructions with the calls that are inlined, at most {} "
                     "are possible: call fewer functions, or call them in a loop",
                     size, kMaxInstructions));
}

void refuse_large_unrolling(llvm::Function& process) {
  const UnrolledSize unrolled(process);
  if (unrolled.size() <= kMaxInstructions) return;
  if (unrolled.most_copied() == nullptr) return;  // large by itself
  refuse(location_of(*unrolled.most_copied()),
         fmt::format("HLS_UNROLL copies this loop's body {} times, which makes {} instructions of "
                     "the process, at most {} are possible: unroll fewer loops, or shorter ones",
                     unrolled.most_copies(), unrolled.size(), kMaxInstructions));
}

void refuse_marked_loops(llvm::Function& process) {
  const llvm::DominatorTree dominators(process);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!is_marked(*loop)) continue;
    refuse(location_of(*loop),
           "HLS_UNROLL before a loop whose trip count is not constant, or too large");
  }
}

}  // namespace vta::hlsc::front
