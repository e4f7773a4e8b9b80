// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/operations.h"

#include "base/errors/error.h"
#include "hw/hlsc/front/llvm_passes.h"
#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {

using ir::Opcode;
using ir::ValueId;

uint32_t Operations::width_of(const llvm::Instruction& instruction, llvm::Type* type) {
  if (type->isIntegerTy()) return type->getIntegerBitWidth();
  if (type->isFloatingPointTy())
    refuse(instruction, "floating point: use integers, such as fixed-point numbers");
  if (type->isPointerTy()) refuse(instruction, "a pointer that is not an object");
  if (type->isVectorTy()) refuse(instruction, "a vector type");
  refuse(instruction, "a struct as a value");
}

ValueId Operations::value(const llvm::Instruction& user, llvm::Value* operand) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(operand)) {
    return builder_.constant(number->getValue());
  }
  if (llvm::isa<llvm::UndefValue>(operand)) {
    return builder_.constant(width_of(user, operand->getType()), 0);
  }
  const auto found = values_.find(operand);
  if (found != values_.end()) return found->second;
  if (llvm::isa<llvm::GlobalValue>(operand)) refuse(user, "the address of an object as a value");
  width_of(user, operand->getType());
  refuse(user, "a value outside the subset");
}

void Operations::translate(llvm::Instruction& instruction, ValueId predicate) {
  if (llvm::isa<llvm::GetElementPtrInst>(instruction) || instruction.isTerminator()) return;
  builder_.set_origin(location_of(instruction), instruction.getName().str());
  if (auto* load_of = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return define(&instruction, load(*load_of, predicate));
  }
  if (auto* store_of = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return store(*store_of, predicate);
  }
  if (auto* inherent = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (inherent->isAssumeLikeIntrinsic() || inherent->isLifetimeStartOrEnd()) return;
    return define(&instruction, intrinsic(*inherent));
  }
  if (auto* called = llvm::dyn_cast<llvm::CallInst>(&instruction)) return call(*called, predicate);
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    refuse_local(instruction, *local);
  define(&instruction, pure(instruction));
}

ValueId Operations::pure(llvm::Instruction& instruction) {
  width_of(instruction, instruction.getType());
  if (auto* two = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return binary(*two);
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) return compare(*comparison);
  if (auto* conversion = llvm::dyn_cast<llvm::CastInst>(&instruction)) return cast(*conversion);
  if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    const ValueId first = value(instruction, choice->getTrueValue());
    return builder_.append(Opcode::kSelect, builder_.width(first),
                           {value(instruction, choice->getCondition()), first,
                            value(instruction, choice->getFalseValue())});
  }
  if (llvm::isa<llvm::FreezeInst>(instruction)) {
    return value(instruction, instruction.getOperand(0));
  }
  refuse(instruction, std::string("the instruction ") + instruction.getOpcodeName());
}

ValueId Operations::binary(llvm::BinaryOperator& instruction) {
  static const std::map<unsigned, Opcode> kOpcodes = {
      {llvm::Instruction::Add, Opcode::kAdd},  {llvm::Instruction::Sub, Opcode::kSub},
      {llvm::Instruction::Mul, Opcode::kMul},  {llvm::Instruction::And, Opcode::kAnd},
      {llvm::Instruction::Or, Opcode::kOr},    {llvm::Instruction::Xor, Opcode::kXor},
      {llvm::Instruction::Shl, Opcode::kShl},  {llvm::Instruction::LShr, Opcode::kLshr},
      {llvm::Instruction::AShr, Opcode::kAshr}};
  const auto found = kOpcodes.find(instruction.getOpcode());
  if (found == kOpcodes.end())
    refuse(instruction, std::string("the instruction ") + instruction.getOpcodeName());
  const ValueId first = value(instruction, instruction.getOperand(0));
  return builder_.append(found->second, builder_.width(first),
                         {first, value(instruction, instruction.getOperand(1))});
}

ValueId Operations::compare(llvm::ICmpInst& instruction) {
  using Predicate = llvm::CmpInst::Predicate;
  width_of(instruction, instruction.getOperand(0)->getType());
  ValueId a = value(instruction, instruction.getOperand(0));
  ValueId b = value(instruction, instruction.getOperand(1));
  const auto is = [&](Predicate x, Predicate y) {
    return instruction.getPredicate() == x || instruction.getPredicate() == y;
  };
  if (is(Predicate::ICMP_UGT, Predicate::ICMP_UGE) ||
      is(Predicate::ICMP_SGT, Predicate::ICMP_SGE)) {
    std::swap(a, b);
  }
  Opcode opcode = Opcode::kNe;
  if (instruction.getPredicate() == Predicate::ICMP_EQ) opcode = Opcode::kEq;
  if (is(Predicate::ICMP_ULT, Predicate::ICMP_UGT)) opcode = Opcode::kUlt;
  if (is(Predicate::ICMP_ULE, Predicate::ICMP_UGE)) opcode = Opcode::kUle;
  if (is(Predicate::ICMP_SLT, Predicate::ICMP_SGT)) opcode = Opcode::kSlt;
  if (is(Predicate::ICMP_SLE, Predicate::ICMP_SGE)) opcode = Opcode::kSle;
  return builder_.append(opcode, 1, {a, b});
}

ValueId Operations::cast(llvm::CastInst& instruction) {
  width_of(instruction, instruction.getOperand(0)->getType());
  const ValueId from = value(instruction, instruction.getOperand(0));
  const uint32_t width = width_of(instruction, instruction.getType());
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Trunc:
      return builder_.slice(from, 0, width);
    case llvm::Instruction::ZExt:
      return builder_.append(Opcode::kZext, width, {from});
    case llvm::Instruction::SExt:
      return builder_.append(Opcode::kSext, width, {from});
    default:
      refuse(instruction, std::string("the conversion ") + instruction.getOpcodeName());
  }
}

void Operations::call(llvm::CallInst& instruction, ValueId predicate) {
  const llvm::Function* callee = instruction.getCalledFunction();
  if (instruction.isInlineAsm()) refuse(instruction, "assembly");
  if (callee == nullptr) refuse(instruction, "a call through a pointer");
  const llvm::StringRef name = callee->getName();
  static const std::map<std::string, Opcode> kOpcodes = {
      {"__hls_token_push", Opcode::kStreamWrite},     {"__hls_token_pop", Opcode::kStreamRead},
      {"__hls_read_request", Opcode::kReadRequest},   {"__hls_read_beat", Opcode::kReadBeat},
      {"__hls_write_request", Opcode::kWriteRequest}, {"__hls_write_beat", Opcode::kWriteBeat},
      {"__hls_write_wait", Opcode::kWriteWait}};
  const auto found = kOpcodes.find(name.str());
  if (found != kOpcodes.end()) return stream_call(instruction, found->second, predicate);
  if (name.starts_with(kStreamRead)) {
    return stream_call(instruction, Opcode::kStreamRead, predicate);
  }
  if (name.starts_with(kStreamWrite)) {
    return stream_call(instruction, Opcode::kStreamWrite, predicate);
  }
  if (name == "__hls_pipeline") return;
  if (name == "__hls_halt") {
    builder_.append(Opcode::kHalt, 0, {predicate});
  } else if (name == "__hls_late") {
    const ValueId flag = value(instruction, instruction.getArgOperand(0));
    define(&instruction, builder_.append(Opcode::kLate, 1, {flag}));
  } else if (name.starts_with("_Znw") || name.starts_with("_Zna") || name == "malloc") {
    refuse(instruction, "memory from the heap");
  } else {
    refuse(instruction, "a call of " + member_name(name.str()) + ", which has no body");
  }
}

void Operations::stream_call(llvm::CallInst& instruction, Opcode opcode, ValueId predicate) {
  const auto* channel = llvm::dyn_cast<llvm::GlobalVariable>(instruction.getArgOperand(0));
  if (channel == nullptr) refuse(instruction, "a stream or port that is chosen at run time");
  ir::Op op = ir::make_op(opcode, 0, {predicate});
  op.object = globals_.object(*channel);
  for (unsigned i = 1; i < instruction.arg_size(); ++i) {
    op.operands.push_back(value(instruction, instruction.getArgOperand(i)));
  }
  if (!instruction.getType()->isVoidTy()) op.width = width_of(instruction, instruction.getType());
  const ValueId result = builder_.append(std::move(op));
  if (!instruction.getType()->isVoidTy()) define(&instruction, result);
  forget_words();
}

}  // namespace vta::hlsc::front
