// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/unroll_by.h"

#include <fmt/format.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <string>

#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {
namespace {

constexpr const char* kMark = "llvm.loop.unroll.count";
constexpr unsigned kMaxHeader = 1000;  // instructions of a loop's condition

class Unroller {
 public:
  explicit Unroller(llvm::Function& process)
      : process_(process),
        dominators_(process),
        loops_(dominators_),
        library_(library_names_),
        assumptions_(process),
        evolution_(process, library_, assumptions_, dominators_, loops_),
        target_(process.getDataLayout()) {}

  // Unrolls a marked loop, inner ones first; false if there is none.
  bool unroll_one() {
    const auto outer_first = loops_.getLoopsInPreorder();
    for (size_t i = outer_first.size(); i-- > 0;) {
      const unsigned count = unroll_count(*outer_first[i]);
      if (count == 0) continue;
      unroll(*outer_first[i], count);
      return true;
    }
    return false;
  }

 private:
  void unroll(llvm::Loop& loop, unsigned count) {
    const ir::Location place = location_of(loop);
    loop.setLoopAlreadyUnrolled();  // removes the mark
    if (count == 1) return;
    llvm::CallInst* marker = pipeline_marker(loop);
    if (marker != nullptr) marker->removeFromParent();
    rotate(loop);
    refuse_open_count(loop, count, place);
    llvm::formLCSSARecursively(loop, dominators_, &loops_, &evolution_);
    llvm::UnrollLoopOptions options = {};
    options.Count = count;
    options.Force = true;
    llvm::OptimizationRemarkEmitter remarks(&process_);
    llvm::BasicBlock* header = loop.getHeader();
    const llvm::LoopUnrollResult result =
        llvm::UnrollLoop(&loop, options, &loops_, &evolution_, &dominators_, &assumptions_,
                         &target_, &remarks, /*PreserveLCSSA=*/true);
    if (result == llvm::LoopUnrollResult::Unmodified)
      refuse(place, fmt::format("HLS_UNROLL_BY({}): this loop cannot be unrolled", count));
    if (marker == nullptr) return;
    if (result == llvm::LoopUnrollResult::PartiallyUnrolled) {
      marker->insertBefore(header->getFirstInsertionPt());
    } else {  // one iteration is left, so there is no loop to pipeline
      marker->deleteValue();
    }
  }

  // The marker of the loop's interval; null if it is not pipelined. LLVM copies no block with it.
  llvm::CallInst* pipeline_marker(const llvm::Loop& loop) {
    for (llvm::BasicBlock* block : loop.blocks()) {
      if (loops_.getLoopFor(block) != &loop) continue;
      for (llvm::Instruction& instruction : *block) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (call != nullptr && call->getCalledFunction() != nullptr &&
            call->getCalledFunction()->getName() == "__hls_pipeline")
          return call;
      }
    }
    return nullptr;
  }

  // Moves the condition to the end, where only the last of the copies needs it.
  void rotate(llvm::Loop& loop) {
    const llvm::SimplifyQuery query(process_.getDataLayout(), &library_, &dominators_,
                                    &assumptions_);
    llvm::LoopRotation(&loop, &loops_, &target_, &assumptions_, &dominators_, &evolution_, nullptr,
                       query, /*RotationOnly=*/true, kMaxHeader, /*IsUtilMode=*/true);
  }

  void refuse_open_count(llvm::Loop& loop, unsigned count, const ir::Location& place) {
    const unsigned iterations = evolution_.getSmallConstantTripCount(&loop);
    if (iterations != 0 && iterations % count == 0) return;
    const std::string found = iterations == 0 ? "unknown" : std::to_string(iterations);
    refuse(place,
           fmt::format("HLS_UNROLL_BY({0}): the number of iterations is {1}, expected a "
                       "constant multiple of {0}: use a constant limit and an `if` in the body",
                       count, found));
  }

  llvm::Function& process_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::TargetLibraryInfoImpl library_names_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::ScalarEvolution evolution_;
  llvm::TargetTransformInfo target_;
};

}  // namespace

unsigned unroll_count(const llvm::Loop& loop) {
  return static_cast<unsigned>(llvm::getOptionalIntLoopAttribute(&loop, kMark).value_or(0));
}

void unroll_by_counts(llvm::Function& process) {
  while (Unroller(process).unroll_one()) {
  }
}

}  // namespace vta::hlsc::front
