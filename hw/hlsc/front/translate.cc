// SPDX-License-Identifier: Apache-2.0
//
// If-conversion over the tree of loops. The blocks of one loop (or of the function), with each
// inner loop collapsed to a node, form an acyclic graph. In reverse postorder every node comes
// after its predecessors, and its predicate is the disjunction of the predicates of its incoming
// edges.
#include "hw/hlsc/front/translate.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>

#include <algorithm>
#include <utility>

#include "base/errors/error.h"
#include "hw/hlsc/front/operations.h"
#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {
namespace {

using ir::ValueId;
using llvm::BasicBlock;

class Translator {
 public:
  Translator(llvm::Function& function, const Globals& globals)
      : function_(function),
        dominators_(function),
        loops_(dominators_),
        builder_(process_),
        operations_(builder_, globals) {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
    order_.assign(order.begin(), order.end());
    if (llvm::containsIrreducibleCFG<const BasicBlock*>(order, loops_)) {
      refuse(location_of(function), "a jump into a loop");
    }
  }

  ir::Process run() {
    process_.name = member_name(function_.getName().str());
    process_.location = location_of(function_);
    builder_.set_sequence(&process_.body);
    predicates_[&function_.getEntryBlock()] = builder_.constant(1, 1);
    region(nullptr, nullptr);
    return std::move(process_);
  }

 private:
  using Edge = std::pair<const BasicBlock*, const BasicBlock*>;

  // All blocks of `loop` (null: the function) except `skipped`, in order.
  void region(llvm::Loop* loop, const BasicBlock* skipped) {
    for (BasicBlock* block : order_) {
      if (block == skipped || (loop != nullptr && !loop->contains(block))) continue;
      llvm::Loop* inner = loops_.getLoopFor(block);
      if (inner == loop) {
        plain_block(*block, loop);
      } else if (inner != nullptr && inner->getHeader() == block &&
                 inner->getParentLoop() == loop) {
        translate_loop(*inner);
      }
    }
  }

  // The predecessors of a block in its region, with the predicates of the edges.
  std::vector<std::pair<BasicBlock*, ValueId>> incoming(BasicBlock& block) const {
    std::vector<std::pair<BasicBlock*, ValueId>> result;
    for (BasicBlock* from : llvm::predecessors(&block)) {
      const auto edge = edges_.find({from, &block});
      const auto same = [&](const auto& other) { return other.first == from; };
      if (edge == edges_.end() || std::any_of(result.begin(), result.end(), same)) continue;
      result.emplace_back(from, edge->second);
    }
    return result;
  }

  // Folds pairs of edges, such as those of an if and its else, in any order.
  ValueId any_of_edges(BasicBlock& block) {
    std::vector<ValueId> terms;
    for (const auto& [from, edge] : incoming(block)) terms.push_back(edge);
    if (terms.empty()) return builder_.constant(1, 0);
    for (bool merged = true; merged && terms.size() > 1;) {
      merged = merge_one(terms);
    }
    ValueId result = terms[0];
    for (size_t i = 1; i < terms.size(); ++i) result = builder_.make_or(result, terms[i]);
    return result;
  }
  bool merge_one(std::vector<ValueId>& terms) {
    for (size_t i = 0; i < terms.size(); ++i) {
      for (size_t k = i + 1; k < terms.size(); ++k) {
        const ValueId both = builder_.fold_or(terms[i], terms[k]);
        if (both == ir::kNoValue) continue;
        terms[i] = both;
        terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(k));
        return true;
      }
    }
    return false;
  }

  void plain_block(BasicBlock& block, const llvm::Loop* loop) {
    if (!predicates_.contains(&block)) predicates_[&block] = any_of_edges(block);
    const bool is_header = loop != nullptr && loop->getHeader() == &block;
    for (llvm::PHINode& phi : block.phis()) {
      if (!is_header) merge_phi(phi);
    }
    operations(block);
    leave(block, loop);
  }

  void operations(BasicBlock& block) {
    const ValueId predicate = predicates_.at(&block);
    for (llvm::Instruction& instruction : block) {
      if (!llvm::isa<llvm::PHINode>(instruction)) operations_.translate(instruction, predicate);
      note_pipeline(instruction);
    }
  }

  void note_pipeline(llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr ||
        call->getCalledFunction()->getName() != "__hls_pipeline") {
      return;
    }
    llvm::Loop* loop = loops_.getLoopFor(instruction.getParent());
    if (current_ == nullptr || loop == nullptr) refuse(instruction, "HLS_PIPELINE outside a loop");
    if (!loop->getSubLoops().empty()) {
      refuse(instruction, "a loop inside a pipelined loop: unroll it");
    }
    const auto* interval = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
    if (interval == nullptr || interval->getSExtValue() < 1 || interval->getSExtValue() > 1024) {
      refuse(instruction, "the initiation interval must be a constant from 1 to 1024");
    }
    current_->initiation_interval = static_cast<uint32_t>(interval->getZExtValue());
  }

  // Predicates of the edges out of a block, except the back edge of the loop.
  void leave(BasicBlock& block, const llvm::Loop* loop) {
    const ValueId predicate = predicates_.at(&block);
    llvm::Instruction* end = block.getTerminator();
    builder_.set_origin(location_of(*end), "");
    const auto add = [&](BasicBlock* to, ValueId condition) {
      if (loop != nullptr && to == loop->getHeader()) return;
      const ValueId taken = builder_.make_and(predicate, condition);
      const auto [edge, fresh] = edges_.emplace(Edge{&block, to}, taken);
      if (!fresh) edge->second = builder_.make_or(edge->second, taken);
    };
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
      if (branch->isUnconditional()) return add(branch->getSuccessor(0), builder_.constant(1, 1));
      const ValueId condition = operations_.value(*end, branch->getCondition());
      add(branch->getSuccessor(0), condition);
      add(branch->getSuccessor(1), builder_.make_not(condition));
    } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end)) {
      leave_switch(*choice, add);
    } else if (!llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(end)) {
      refuse(*end, std::string("the jump ") + end->getOpcodeName());
    }
  }
  template <class Add>
  void leave_switch(llvm::SwitchInst& choice, Add add) {
    const ValueId selector = operations_.value(choice, choice.getCondition());
    ValueId any = builder_.constant(1, 0);
    for (const auto& entry : choice.cases()) {
      const ValueId number = operations_.value(choice, entry.getCaseValue());
      const ValueId equal = builder_.append(ir::Opcode::kEq, 1, {selector, number});
      any = builder_.make_or(any, equal);
      add(entry.getCaseSuccessor(), equal);
    }
    add(choice.getDefaultDest(), builder_.make_not(any));
  }

  void merge_phi(llvm::PHINode& phi) {
    Operations::width_of(phi, phi.getType());
    builder_.set_origin(location_of(phi), phi.getName().str());
    ValueId merged = ir::kNoValue;
    for (const auto& [from, edge] : incoming(*phi.getParent())) {
      const ValueId value = operations_.value(phi, phi.getIncomingValueForBlock(from));
      merged =
          merged == ir::kNoValue || merged == value
              ? value
              : builder_.append(ir::Opcode::kSelect, builder_.width(value), {edge, value, merged});
    }
    if (merged == ir::kNoValue) merged = builder_.constant(phi.getType()->getIntegerBitWidth(), 0);
    operations_.define(&phi, merged);
  }

  void translate_loop(llvm::Loop& loop) {
    BasicBlock* header = loop.getHeader();
    const llvm::Instruction& first = *header->getTerminator();
    llvm::SmallVector<BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPreheader();
    if (latch == nullptr || before == nullptr) refuse(first, "a loop with several entries");
    VTA_ASSERT(exiting.size() <= 1, "a loop whose exits are not unified");
    BasicBlock* exit_from = exiting.empty() ? nullptr : exiting[0];
    auto result = std::make_unique<ir::Loop>();
    result->name = header->getName().empty() ? "loop" : header->getName().str();
    std::replace_if(
        result->name.begin(), result->name.end(),
        [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    result->location = location_of(loop);
    result->predicate = any_of_edges(*header);
    enter_phis(*result, *header, *before);
    contents(*result, loop, exit_from);
    for (size_t i = 0; llvm::PHINode & phi : header->phis()) {
      result->phis[i++].next = operations_.value(phi, phi.getIncomingValueForBlock(latch));
    }
    if (exit_from != nullptr) edges_[{exit_from, loop.getUniqueExitBlock()}] = result->predicate;
    builder_.append(std::move(result));
  }

  void enter_phis(ir::Loop& result, BasicBlock& header, BasicBlock& before) {
    for (llvm::PHINode& phi : header.phis()) {
      ir::Op op = ir::make_op(ir::Opcode::kPhi, Operations::width_of(phi, phi.getType()), {});
      op.name = phi.getName().str();
      op.location = location_of(phi);
      const ValueId init = operations_.value(phi, phi.getIncomingValueForBlock(&before));
      operations_.define(&phi, builder_.phi(result, std::move(op), init));
    }
  }

  // Fills head and body; the exit decides which blocks go where.
  void contents(ir::Loop& result, llvm::Loop& loop, BasicBlock* exit_from) {
    ir::Loop* outer = std::exchange(current_, &result);
    BasicBlock* header = loop.getHeader();
    const bool at_header = exit_from == header && loop.getLoopLatch() != header;
    const bool at_latch = exit_from != nullptr && !at_header;
    predicates_[header] = builder_.constant(1, 1);
    result.condition = predicates_[header];
    ir::Sequence* around =
        builder_.set_sequence(at_header || at_latch ? &result.head : &result.body);
    operations_.forget_words();
    if (at_header) {
      operations(*header);
      result.condition = stay(*header, loop);
      builder_.set_sequence(&result.body);
      operations_.forget_words();
      enter_body(*header, loop);
      region(&loop, header);
    } else {
      region(&loop, nullptr);
      if (at_latch) result.condition = stay(*exit_from, loop);
    }
    operations_.forget_words();
    builder_.set_sequence(around);
    current_ = outer;
  }

  // The edges from the header into the body, where the condition of the header is true.
  void enter_body(BasicBlock& header, const llvm::Loop& loop) {
    llvm::Instruction* end = header.getTerminator();
    if (llvm::isa<llvm::SwitchInst>(end)) return leave(header, &loop);
    BasicBlock* inside = end->getSuccessor(loop.contains(end->getSuccessor(0)) ? 0 : 1);
    edges_[{&header, inside}] = builder_.constant(1, 1);
  }

  // The condition under which the loop continues.
  ValueId stay(BasicBlock& exiting, const llvm::Loop& loop) {
    llvm::Instruction* end = exiting.getTerminator();
    VTA_ASSERT(loop.getUniqueExitBlock() != nullptr, "a loop whose exits are not unified");
    builder_.set_origin(location_of(*end), "");
    if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end)) return stay(*choice, loop);
    auto* branch = llvm::cast<llvm::BranchInst>(end);
    const ValueId condition = operations_.value(*end, branch->getCondition());
    return loop.contains(branch->getSuccessor(0)) ? condition : builder_.make_not(condition);
  }

  // LLVM turns `x == 1 || x == 2` into a switch, and so the condition of a loop over `switch (x)`.
  ValueId stay(llvm::SwitchInst& choice, const llvm::Loop& loop) {
    const ValueId selector = operations_.value(choice, choice.getCondition());
    const bool others_stay = loop.contains(choice.getDefaultDest());
    ValueId listed = builder_.constant(1, 0);
    for (const auto& entry : choice.cases()) {
      if (loop.contains(entry.getCaseSuccessor()) == others_stay) continue;
      const ValueId number = operations_.value(choice, entry.getCaseValue());
      listed = builder_.make_or(listed, builder_.append(ir::Opcode::kEq, 1, {selector, number}));
    }
    return others_stay ? builder_.make_not(listed) : listed;
  }

  llvm::Function& function_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  ir::Process process_;
  ir::Builder builder_;
  Operations operations_;
  std::vector<BasicBlock*> order_;
  std::map<Edge, ValueId> edges_;
  std::map<const BasicBlock*, ValueId> predicates_;
  ir::Loop* current_ = nullptr;  // being translated
};

}  // namespace

ir::Process translate(llvm::Function& function, const Globals& globals) {
  return Translator(function, globals).run();
}

}  // namespace vta::hlsc::front
