// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/overflows.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace vta::hlsc::front {
namespace {

using llvm::IRBuilder;
using llvm::Value;

// An operation in as many bits as its exact result has.
class Exact {
 public:
  explicit Exact(llvm::BinaryOpIntrinsic& operation)
      : builder_(&operation),
        type_(operation.getLHS()->getType()),
        is_signed_(operation.isSigned()),
        is_difference_(operation.getBinaryOp() == llvm::Instruction::Sub) {
    const unsigned bits = type_->getIntegerBitWidth();
    const bool is_product = operation.getBinaryOp() == llvm::Instruction::Mul;
    wide_ = builder_.getIntNTy(is_product ? 2 * bits : bits + 1);
    result_ = builder_.CreateBinOp(operation.getBinaryOp(), extended(operation.getLHS()),
                                   extended(operation.getRHS()));
  }

  Value* low() { return builder_.CreateTrunc(result_, type_); }
  Value* overflows() { return builder_.CreateICmpNE(extended(low()), result_); }

  Value* clipped() {
    Value* limit = is_signed_ ? signed_limit() : unsigned_limit();
    return builder_.CreateSelect(overflows(), limit, low());
  }

 private:
  Value* extended(Value* value) {
    return is_signed_ ? builder_.CreateSExt(value, wide_) : builder_.CreateZExt(value, wide_);
  }
  // The maximum, or of a negative result the minimum.
  Value* signed_limit() {
    Value* is_negative = builder_.CreateICmpSLT(result_, llvm::ConstantInt::get(wide_, 0));
    const unsigned bits = type_->getIntegerBitWidth();
    return builder_.CreateSelect(is_negative, builder_.getInt(llvm::APInt::getSignedMinValue(bits)),
                                 builder_.getInt(llvm::APInt::getSignedMaxValue(bits)));
  }
  Value* unsigned_limit() {
    return is_difference_ ? llvm::Constant::getNullValue(type_)
                          : llvm::Constant::getAllOnesValue(type_);
  }

  IRBuilder<> builder_;
  llvm::Type* type_;
  const bool is_signed_, is_difference_;
  llvm::Type* wide_ = nullptr;
  Value* result_ = nullptr;
};

// All or nothing: a pair that is used as a whole stays, with all its parts.
void expand(llvm::WithOverflowInst& operation) {
  std::vector<llvm::ExtractValueInst*> parts;
  for (llvm::User* user : operation.users()) {
    auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
    if (part == nullptr) return;
    parts.push_back(part);
  }
  Exact exact(operation);
  for (llvm::ExtractValueInst* part : parts) {
    part->replaceAllUsesWith(part->getIndices()[0] == 0 ? exact.low() : exact.overflows());
    part->eraseFromParent();
  }
  operation.eraseFromParent();
}

}  // namespace

void expand_overflows(llvm::Function& process) {
  std::vector<llvm::BinaryOpIntrinsic*> operations;
  for (llvm::Instruction& instruction : llvm::instructions(process)) {
    if (llvm::isa<llvm::WithOverflowInst, llvm::SaturatingInst>(instruction))
      operations.push_back(llvm::cast<llvm::BinaryOpIntrinsic>(&instruction));
  }
  for (llvm::BinaryOpIntrinsic* operation : operations) {
    if (!operation->getLHS()->getType()->isIntegerTy()) continue;
    if (auto* checked = llvm::dyn_cast<llvm::WithOverflowInst>(operation)) {
      expand(*checked);
      continue;
    }
    operation->replaceAllUsesWith(Exact(*operation).clipped());
    operation->eraseFromParent();
  }
}

}  // namespace vta::hlsc::front
