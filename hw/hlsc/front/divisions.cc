// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/divisions.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <vector>

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
  explicit Ranges(llvm::Function& process)
      : libraries_(llvm::Triple(process.getParent()->getTargetTriple())),
        library_(libraries_),
        assumptions_(process),
        dominators_(process),
        loops_(dominators_),
        evolution_(process, library_, assumptions_, dominators_, loops_) {}

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

 private:
  APInt signed_min(Value* value) { return evolution_.getSignedRangeMin(evolution_.getSCEV(value)); }

  llvm::TargetLibraryInfoImpl libraries_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::ScalarEvolution evolution_;
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

}  // namespace

void expand_divisions(llvm::Function& process) {
  std::vector<BinaryOperator*> divisions;
  for (Instruction& instruction : llvm::instructions(process)) {
    if (is_division(instruction)) divisions.push_back(llvm::cast<BinaryOperator>(&instruction));
  }
  if (divisions.empty()) return;
  Ranges ranges(process);
  for (BinaryOperator* division : divisions) {
    const auto* by = llvm::dyn_cast<llvm::ConstantInt>(division->getOperand(1));
    if (division->getType()->isVectorTy()) refuse(*division, "a vector type");
    if (by == nullptr)
      refuse(*division, "a division by a value that is not constant: use a loop of subtractions");
    if (by->isZero()) refuse(*division, "a division by 0");
    Expansion expansion(*division, by->getValue(), ranges);
    const unsigned opcode = division->getOpcode();
    const bool is_quotient = opcode == Instruction::UDiv || opcode == Instruction::SDiv;
    Value* result = is_quotient ? expansion.quotient() : expansion.remainder();
    if (llvm::isa<Instruction>(result) && !result->hasName()) result->takeName(division);
    division->replaceAllUsesWith(result);
    division->eraseFromParent();
  }
}

}  // namespace vta::hlsc::front
