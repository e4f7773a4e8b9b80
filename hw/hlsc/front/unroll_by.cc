// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/unroll_by.h"

#include <fmt/format.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <string>

#include "hw/hlsc/front/loop_analyses.h"
#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {
namespace {

constexpr const char* kMark = "llvm.loop.unroll.count";
constexpr unsigned kMaxHeader = 1000;  // instructions of a loop's condition

class Unroller {
 public:
  explicit Unroller(llvm::Function& process)
      : process_(process), analyses_(process), target_(process.getDataLayout()) {}

  // Unrolls a marked loop, inner ones first; false if there is none.
  bool unroll_one() {
    const auto outer_first = analyses_.loops.getLoopsInPreorder();
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
    // LLVM copies no block with it.
    llvm::CallInst* marker = analyses_.pipeline_marker(loop);
    if (marker != nullptr) marker->removeFromParent();
    rotate(loop);
    refuse_open_count(loop, count, place);
    llvm::formLCSSARecursively(loop, analyses_.dominators, &analyses_.loops, &analyses_.evolution);
    llvm::UnrollLoopOptions options = {};
    options.Count = count;
    options.Force = true;
    llvm::OptimizationRemarkEmitter remarks(&process_);
    llvm::BasicBlock* header = loop.getHeader();
    const llvm::LoopUnrollResult result = llvm::UnrollLoop(
        &loop, options, &analyses_.loops, &analyses_.evolution, &analyses_.dominators,
        &analyses_.assumptions, &target_, &remarks, /*PreserveLCSSA=*/true);
    if (result == llvm::LoopUnrollResult::Unmodified)
      refuse(place, fmt::format("HLS_UNROLL_BY({}): this loop cannot be unrolled", count));
    if (marker == nullptr) return;
    if (result == llvm::LoopUnrollResult::PartiallyUnrolled) {
      marker->insertBefore(header->getFirstInsertionPt());
    } else {  // one iteration is left, so there is no loop to pipeline
      marker->deleteValue();
    }
  }

  // Moves the condition to the end, where only the last of the copies needs it.
  void rotate(llvm::Loop& loop) {
    const llvm::SimplifyQuery query(process_.getDataLayout(), &analyses_.library,
                                    &analyses_.dominators, &analyses_.assumptions);
    llvm::LoopRotation(&loop, &analyses_.loops, &target_, &analyses_.assumptions,
                       &analyses_.dominators, &analyses_.evolution, nullptr, query,
                       /*RotationOnly=*/true, kMaxHeader, /*IsUtilMode=*/true);
  }

  void refuse_open_count(llvm::Loop& loop, unsigned count, const ir::Location& place) {
    const unsigned iterations = analyses_.evolution.getSmallConstantTripCount(&loop);
    if (iterations != 0 && iterations % count == 0) return;
    const std::string found = iterations == 0 ? "unknown" : std::to_string(iterations);
    refuse(place,
           fmt::format("HLS_UNROLL_BY({0}): the number of iterations is {1}, expected a "
                       "constant multiple of {0}: use a constant limit and an `if` in the body",
                       count, found));
  }

  llvm::Function& process_;
  LoopAnalyses analyses_;
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
