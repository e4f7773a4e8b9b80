// SPDX-License-Identifier: Apache-2.0
//
// A loop with the exits X -> A and Y -> B becomes
//   ... X -> leave, Y -> leave, latch -> again;  leave, again -> end
//   end: phis: whether the loop goes on, which exit it has taken, the values that A and B get
//   end -> header or out;  out -> A or B
#include "hw/hlsc/front/loop_exits.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <vector>

namespace vta::hlsc::front {
namespace {

using llvm::BasicBlock;
using llvm::PHINode;
using llvm::Value;

// An exit of a loop, or its back edge: a successor of a terminator.
struct Edge {
  llvm::Instruction* end;
  unsigned successor;
  BasicBlock* to() const { return end->getSuccessor(successor); }
};

std::vector<Edge> exits_of(const llvm::Loop& loop) {
  std::vector<Edge> exits;
  for (BasicBlock* block : loop.blocks()) {
    llvm::Instruction* end = block->getTerminator();
    for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
      if (!loop.contains(end->getSuccessor(i))) exits.push_back({end, i});
    }
  }
  return exits;
}

// Whether the translation takes the exits as they are.
bool has_one_exit(const llvm::Loop& loop) {
  llvm::SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.empty()) return true;
  const bool is_at_end = exiting[0] == loop.getHeader() || exiting[0] == loop.getLoopLatch();
  return exiting.size() == 1 && is_at_end && loop.getUniqueExitBlock() != nullptr;
}

class ExitUnifier {
 public:
  explicit ExitUnifier(llvm::Loop& loop)
      : header_(loop.getHeader()),
        latch_(loop.getLoopLatch()),
        loop_id_(loop.getLoopID()),
        exits_(exits_of(loop)),
        end_(new_block("end")),
        out_(new_block("out")) {}

  void run() {
    llvm::IRBuilder<> at_end(end_);
    stays_ = at_end.CreatePHI(at_end.getInt1Ty(), 0, "stays");
    which_ = at_end.CreatePHI(at_end.getInt32Ty(), 0, "which");
    redirect_back_edge();
    for (const Edge& exit : exits_) redirect(exit);
    finish_phis();
    at_end.SetCurrentDebugLocation(header_->getTerminator()->getDebugLoc());
    llvm::BranchInst* branch = at_end.CreateCondBr(stays_, header_, out_);
    branch->setMetadata(llvm::LLVMContext::MD_loop, loop_id_);
    leave();
  }

 private:
  BasicBlock* new_block(const char* name) {
    return BasicBlock::Create(header_->getContext(), header_->getName() + "." + name,
                              header_->getParent());
  }

  // A block on an edge, which goes on to the end.
  BasicBlock* block_on(const Edge& edge, const char* name, bool stays, size_t number) {
    BasicBlock* block = new_block(name);
    llvm::IRBuilder<> builder(block);
    builder.SetCurrentDebugLocation(edge.end->getDebugLoc());
    builder.CreateBr(end_);
    edge.end->setSuccessor(edge.successor, block);
    stays_->addIncoming(builder.getInt1(stays), block);
    which_->addIncoming(builder.getInt32(static_cast<uint32_t>(number)), block);
    return block;
  }

  // A value that leaves or goes on through the end: `value` on the way through `block`.
  struct Carried {
    PHINode* phi;  // in the end
    BasicBlock* block;
    Value* value;
  };
  PHINode* carry(Value* value, BasicBlock* block, const llvm::Twine& name) {
    llvm::IRBuilder<> builder(end_, end_->begin());
    PHINode* phi = builder.CreatePHI(value->getType(), 0, name);
    carried_.push_back({phi, block, value});
    return phi;
  }

  void redirect_back_edge() {
    llvm::Instruction* end = latch_->getTerminator();
    for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
      if (end->getSuccessor(i) != header_) continue;
      BasicBlock* again = block_on({end, i}, "again", true, 0);
      for (PHINode& phi : header_->phis()) {
        const int from = phi.getBasicBlockIndex(latch_);
        phi.setIncomingValue(from, carry(phi.getIncomingValue(from), again, phi.getName()));
        phi.setIncomingBlock(from, end_);
      }
      return;
    }
  }

  void redirect(const Edge& exit) {
    BasicBlock *to = exit.to(), *from = exit.end->getParent();
    BasicBlock* block = block_on(exit, "leave", false, targets_.size());
    BasicBlock* target = new_block("exit");
    for (PHINode& phi : to->phis()) {
      phi.addIncoming(carry(phi.getIncomingValueForBlock(from), block, phi.getName()), target);
      phi.removeIncomingValue(from, false);
    }
    llvm::IRBuilder<> builder(target);
    builder.SetCurrentDebugLocation(exit.end->getDebugLoc());
    builder.CreateBr(to);
    targets_.push_back(target);
  }

  // On the other ways through the end nothing uses the value.
  void finish_phis() {
    for (const Carried& it : carried_) {
      for (BasicBlock* block : stays_->blocks()) {
        Value* none = llvm::Constant::getNullValue(it.phi->getType());
        it.phi->addIncoming(block == it.block ? it.value : none, block);
      }
    }
  }

  void leave() {
    llvm::IRBuilder<> builder(out_);
    builder.SetCurrentDebugLocation(header_->getTerminator()->getDebugLoc());
    if (targets_.size() == 1) {
      builder.CreateBr(targets_[0]);
      return;
    }
    llvm::SwitchInst* choice = builder.CreateSwitch(which_, targets_.back());
    for (uint32_t i = 0; i + 1 < targets_.size(); ++i)
      choice->addCase(builder.getInt32(i), targets_[i]);
  }

  BasicBlock* const header_;
  BasicBlock* const latch_;
  llvm::MDNode* const loop_id_;  // has the place of the loop
  const std::vector<Edge> exits_;
  BasicBlock* const end_;
  BasicBlock* const out_;
  PHINode *stays_ = nullptr, *which_ = nullptr;
  std::vector<Carried> carried_;
  std::vector<BasicBlock*> targets_;  // by exit
};

// Unifies the exits of one loop, inner ones first; false if no loop needs it.
bool unify_one(llvm::Function& process) {
  llvm::DominatorTree dominators(process);
  llvm::LoopInfo loops(dominators);
  const auto outer_first = loops.getLoopsInPreorder();
  for (size_t i = outer_first.size(); i-- > 0;) {
    llvm::Loop& loop = *outer_first[i];
    if (loop.getLoopLatch() == nullptr || has_one_exit(loop)) continue;
    llvm::formLCSSA(loop, dominators, &loops, nullptr);
    ExitUnifier(loop).run();
    return true;
  }
  return false;
}

}  // namespace

void unify_loop_exits(llvm::Function& process) {
  while (unify_one(process)) {
  }
}

}  // namespace vta::hlsc::front
