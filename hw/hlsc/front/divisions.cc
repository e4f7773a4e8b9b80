// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/divisions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <vector>

#include "hw/hlsc/front/loop_analyses.h"
#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {

using llvm::APInt;
using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::Value;

Reciprocal reciprocal(const APInt& divisor, const APInt& maximum) {
  const unsigned width = 2 * (divisor.getActiveBits() + maximum.getActiveBits()) + 2;
  const APInt d = divisor.zextOrTrunc(width), largest = maximum.zextOrTrunc(width);
  for (uint32_t shift = 0;; ++shift) {
    const APInt power = APInt::getOneBitSet(width, shift), multiplier = power.udiv(d) + 1;
    const APInt excess = multiplier * d - power;  // 1 to d
    if ((excess * largest).ult(power)) return {multiplier.trunc(multiplier.getActiveBits()), shift};
  }
}

namespace {

bool is_division(const Instruction& instruction) {
  const unsigned opcode = instruction.getOpcode();
  return opcode == Instruction::UDiv || opcode == Instruction::URem ||
         opcode == Instruction::SDiv || opcode == Instruction::SRem;
}

// The values that dividends can have.
class Ranges {
 public:
  explicit Ranges(llvm::Function& process) : analyses_(process), evolution_(analyses_.evolution) {}

  APInt unsigned_max(Value* value) {
    return evolution_.getUnsignedRangeMax(evolution_.getSCEV(value));
  }
  bool is_negative(Value* value) { return signed_min(value).isNegative(); }
  // The maximum of |value|; its sign bit may be a bit of the number.
  APInt magnitude(Value* value) {
    const APInt positive = evolution_.getSignedRangeMax(evolution_.getSCEV(value));
    const APInt negative = -signed_min(value);
    return negative.ugt(positive) ? negative : positive;
  }
  bool is_in_pipeline(Instruction& instruction) const {
    const llvm::Loop* loop = analyses_.loops.getLoopFor(instruction.getParent());
    return loop != nullptr && analyses_.pipeline_marker(*loop) != nullptr;
  }

 private:
  APInt signed_min(Value* value) { return evolution_.getSignedRangeMin(evolution_.getSCEV(value)); }

  LoopAnalyses analyses_;
  llvm::ScalarEvolution& evolution_;
};

// One division: a dividend n of known range by a constant.
class Expansion {
 public:
  Expansion(BinaryOperator& division, const APInt& divisor, Ranges& ranges)
      : builder_(&division),
        n_(division.getOperand(0)),
        width_(divisor.getBitWidth()),
        divisor_(divisor) {
    const unsigned opcode = division.getOpcode();
    const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
    negates_ = is_signed && divisor.isNegative();
    if (negates_) divisor_.negate();
    is_signed_ = is_signed && ranges.is_negative(n_);
    maximum_ = is_signed_ ? ranges.magnitude(n_) : ranges.unsigned_max(n_);
  }

  Value* quotient() {
    Value* truncated = magnitude_quotient();
    return negates_ ? builder_.CreateNeg(truncated) : truncated;
  }

  // |n % d| < d, so its low bits are those of n - n / d * d.
  Value* remainder() {
    if (divisor_.isOne()) return constant(0);
    if (maximum_.ult(divisor_)) return n_;
    const unsigned bits = (divisor_ - 1).getActiveBits() + (is_signed_ ? 1 : 0);
    if (bits >= width_) return difference(n_, magnitude_quotient(), divisor_);
    llvm::Type* narrow = builder_.getIntNTy(bits);
    Value* rest =
        difference(builder_.CreateTrunc(n_, narrow),
                   builder_.CreateTrunc(magnitude_quotient(), narrow), divisor_.trunc(bits));
    return is_signed_ ? builder_.CreateSExt(rest, n_->getType())
                      : builder_.CreateZExt(rest, n_->getType());
  }

 private:
  Value* constant(uint64_t value) { return llvm::ConstantInt::get(n_->getType(), value); }
  Value* difference(Value* n, Value* quotient, const APInt& divisor) {
    return builder_.CreateSub(n, builder_.CreateMul(quotient, builder_.getInt(divisor)));
  }

  // By |divisor|, rounded towards 0.
  Value* magnitude_quotient() {
    if (divisor_.isOne()) return n_;
    if (maximum_.ult(divisor_)) return constant(0);
    if (divisor_.isPowerOf2()) return shifted();
    return multiplied();
  }

  Value* shifted() {
    const unsigned by = divisor_.logBase2();
    if (!is_signed_) return builder_.CreateLShr(n_, by);
    Value* rounding = builder_.CreateAnd(sign(), builder_.getInt(divisor_ - 1));
    return builder_.CreateAShr(builder_.CreateAdd(n_, rounding), by);
  }

  Value* multiplied() {
    const Reciprocal by = reciprocal(divisor_, maximum_);
    const unsigned bits =
        maximum_.getActiveBits() + by.multiplier.getBitWidth() + (is_signed_ ? 1 : 0);
    llvm::Type* wide = builder_.getIntNTy(std::max(bits, by.shift + 1));
    Value* n =
        is_signed_ ? builder_.CreateSExtOrTrunc(n_, wide) : builder_.CreateZExtOrTrunc(n_, wide);
    Value* product =
        builder_.CreateMul(n, builder_.getInt(by.multiplier.zext(wide->getIntegerBitWidth())));
    if (!is_signed_)
      return builder_.CreateZExtOrTrunc(builder_.CreateLShr(product, by.shift), n_->getType());
    Value* floor =
        builder_.CreateSExtOrTrunc(builder_.CreateAShr(product, by.shift), n_->getType());
    return builder_.CreateSub(floor, sign());
  }

  // -1 if n is negative, else 0.
  Value* sign() { return builder_.CreateAShr(n_, width_ - 1); }

  llvm::IRBuilder<> builder_;
  Value* n_;
  unsigned width_;
  APInt divisor_;           // its magnitude
  bool negates_ = false;    // the divisor is negative
  bool is_signed_ = false;  // n may be negative
  APInt maximum_;           // of |n|
};

bool is_signed_division(const Instruction& division) {
  return division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
}

bool is_quotient(const Instruction& division) {
  return division.getOpcode() == Instruction::UDiv || division.getOpcode() == Instruction::SDiv;
}

// A division of a dividend by a variable: restoring division of their magnitudes, a bit of the
// quotient at a time. In a pipelined loop all bits are side by side, which the scheduler spreads
// over stages; elsewhere a loop computes one in each iteration.
class LongDivision {
 public:
  LongDivision(BinaryOperator& division, Ranges& ranges)
      : division_(&division),
        dividend_bits_(bits_of(division.getOperand(0), ranges)),
        divisor_bits_(bits_of(division.getOperand(1), ranges)),
        is_pipelined_(ranges.is_in_pipeline(division)) {}

  void expand() {
    llvm::IRBuilder<> builder(division_);
    Value *n = division_->getOperand(0), *d = division_->getOperand(1);
    const bool is_signed = is_signed_division(*division_);
    Value* n_sign = is_signed ? sign(builder, n) : nullptr;
    Value* d_sign = is_signed ? sign(builder, d) : nullptr;
    Numbers start = {
        builder.CreateTrunc(magnitude(builder, n, n_sign), builder.getIntNTy(dividend_bits_)),
        llvm::ConstantInt::get(rest_type(builder), 0)};
    Value* divisor = builder.CreateZExt(
        builder.CreateTrunc(magnitude(builder, d, d_sign), builder.getIntNTy(divisor_bits_)),
        rest_type(builder));
    const Numbers end =
        is_pipelined_ ? side_by_side(builder, start, divisor) : in_a_loop(builder, start, divisor);
    Value* result =
        builder.CreateZExtOrTrunc(is_quotient(*division_) ? end.quotient : end.rest, type());
    if (is_signed) {
      Value* negates = is_quotient(*division_) ? builder.CreateXor(n_sign, d_sign) : n_sign;
      result = magnitude(builder, result, negates);
    }
    division_->replaceAllUsesWith(result);
    division_->eraseFromParent();
  }

 private:
  // The dividend's bits leave at the top of `quotient` while those of the quotient enter below.
  struct Numbers {
    Value *quotient, *rest;
  };

  unsigned bits_of(Value* operand, Ranges& ranges) const {
    const llvm::APInt most =
        is_signed_division(*division_) ? ranges.magnitude(operand) : ranges.unsigned_max(operand);
    return std::max(1U, most.getActiveBits());
  }
  llvm::Type* type() const { return division_->getType(); }
  // One bit more than the divisor: a rest is less than it, and is doubled.
  llvm::Type* rest_type(llvm::IRBuilder<>& builder) const {
    return builder.getIntNTy(std::min(divisor_bits_ + 1, type()->getIntegerBitWidth() + 1));
  }

  // All ones if the number is negative.
  Value* sign(llvm::IRBuilder<>& builder, Value* number) const {
    return builder.CreateAShr(number, type()->getIntegerBitWidth() - 1);
  }
  // Negates if `sign` is all ones.
  static Value* magnitude(llvm::IRBuilder<>& builder, Value* number, Value* sign) {
    return sign == nullptr ? number : builder.CreateSub(builder.CreateXor(number, sign), sign);
  }

  Numbers next(llvm::IRBuilder<>& builder, const Numbers& now, Value* divisor) const {
    Value* top = builder.CreateTrunc(builder.CreateLShr(now.quotient, dividend_bits_ - 1),
                                     builder.getInt1Ty());
    Value* doubled = builder.CreateOr(builder.CreateShl(now.rest, 1),
                                      builder.CreateZExt(top, now.rest->getType()));
    Value* fits = builder.CreateICmpUGE(doubled, divisor);
    Value* rest = builder.CreateSelect(fits, builder.CreateSub(doubled, divisor), doubled);
    // A shift by the whole width is undefined in LLVM; a single bit is all new.
    Value* bit = builder.CreateZExt(fits, now.quotient->getType());
    Value* quotient =
        dividend_bits_ == 1 ? bit : builder.CreateOr(builder.CreateShl(now.quotient, 1), bit);
    return {quotient, rest};
  }

  Numbers side_by_side(llvm::IRBuilder<>& builder, Numbers numbers, Value* divisor) const {
    for (unsigned i = 0; i < dividend_bits_; ++i) numbers = next(builder, numbers, divisor);
    return numbers;
  }

  Numbers in_a_loop(llvm::IRBuilder<>& builder, const Numbers& start, Value* divisor) const {
    llvm::BasicBlock* before = division_->getParent();
    llvm::BasicBlock* after = before->splitBasicBlock(division_, before->getName() + ".divided");
    llvm::BasicBlock* loop = llvm::BasicBlock::Create(
        before->getContext(), before->getName() + ".divide", before->getParent(), after);
    before->getTerminator()->setSuccessor(0, loop);
    builder.SetInsertPoint(loop);
    builder.SetCurrentDebugLocation(division_->getDebugLoc());
    llvm::PHINode* left = builder.CreatePHI(
        builder.getIntNTy(llvm::Log2_32_Ceil(dividend_bits_) + 1), 2, "bits_left");
    llvm::PHINode* quotient = builder.CreatePHI(start.quotient->getType(), 2, "quotient");
    llvm::PHINode* rest = builder.CreatePHI(start.rest->getType(), 2, "rest");
    const Numbers end = next(builder, {quotient, rest}, divisor);
    Value* fewer = builder.CreateSub(left, llvm::ConstantInt::get(left->getType(), 1));
    Value* is_last = builder.CreateICmpEQ(left, llvm::ConstantInt::get(left->getType(), 1));
    builder.CreateCondBr(is_last, after, loop);
    left->addIncoming(llvm::ConstantInt::get(left->getType(), dividend_bits_), before);
    left->addIncoming(fewer, loop);
    quotient->addIncoming(start.quotient, before);
    quotient->addIncoming(end.quotient, loop);
    rest->addIncoming(start.rest, before);
    rest->addIncoming(end.rest, loop);
    builder.SetInsertPoint(division_);
    return end;
  }

  BinaryOperator* division_;
  const unsigned dividend_bits_, divisor_bits_;
  const bool is_pipelined_;
};

void divide_by_constant(BinaryOperator& division, const APInt& divisor, Ranges& ranges) {
  if (divisor.isZero()) refuse(division, "a division by 0");
  Expansion expansion(division, divisor, ranges);
  Value* result = is_quotient(division) ? expansion.quotient() : expansion.remainder();
  if (llvm::isa<Instruction>(result) && !result->hasName()) result->takeName(&division);
  division.replaceAllUsesWith(result);
  division.eraseFromParent();
}

}  // namespace

void expand_divisions(llvm::Function& process) {
  std::vector<BinaryOperator*> divisions;
  for (Instruction& instruction : llvm::instructions(process)) {
    if (is_division(instruction)) divisions.push_back(llvm::cast<BinaryOperator>(&instruction));
  }
  if (divisions.empty()) return;
  Ranges ranges(process);
  std::vector<LongDivision> long_divisions;  // last: their loops change the ranges' analyses
  for (BinaryOperator* division : divisions) {
    if (division->getType()->isVectorTy()) refuse(*division, "a vector type");
    if (const auto* by = llvm::dyn_cast<llvm::ConstantInt>(division->getOperand(1))) {
      divide_by_constant(*division, by->getValue(), ranges);
    } else {
      long_divisions.emplace_back(*division, ranges);
    }
  }
  for (LongDivision& division : long_divisions) division.expand();
}

}  // namespace vta::hlsc::front
