// SPDX-License-Identifier: Apache-2.0
//
// A chosen pointer becomes two integers: which of its objects it points into, and the index there.
// The index counts units, the largest common divisor of all steps, so that the address stays a
// multiple of whole elements. It has just the bits for all places in the object and the one after
// it: C++ allows a pointer no other place.
#include "hw/hlsc/front/pointer_choices.h"

#include <fmt/format.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "hw/hlsc/front/address.h"
#include "hw/hlsc/front/channels.h"
#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

bool is_choice(const Value* value) {
  return value->getType()->isPointerTy() && llvm::isa<llvm::PHINode, llvm::SelectInst>(value);
}

Value* without_offsets(Value* pointer) {
  while (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer))
    pointer = step->getPointerOperand();
  return pointer;
}

// The elements of arrays of streams, each a variable of its own.
class StreamArrays {
 public:
  bool is_one(const Value* value) const {
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(value);
    return global != nullptr && global->getValueType()->isArrayTy() &&
           channel_type(*global) != nullptr;
  }

  const std::vector<Value*>& elements(Value& array) {
    std::vector<Value*>& elements = elements_[&array];
    if (!elements.empty()) return elements;
    auto& global = llvm::cast<llvm::GlobalVariable>(array);
    llvm::StructType* type = channel_type(global);
    const llvm::DataLayout& layout = global.getParent()->getDataLayout();
    const uint64_t count = layout.getTypeAllocSize(global.getValueType()).getFixedValue() /
                           layout.getTypeAllocSize(type).getFixedValue();
    const std::string name = member_name(global.getName().str());
    for (uint64_t i = 0; i < count; ++i) {
      const std::string element = stream_element_name(name, i);
      llvm::GlobalVariable* made = global.getParent()->getNamedGlobal(element);
      if (made == nullptr)
        made = new llvm::GlobalVariable(*global.getParent(), type, false, global.getLinkage(),
                                        llvm::Constant::getNullValue(type), element);
      elements.push_back(made);
    }
    return elements;
  }

  // The number of the element, in 64 bits.
  Value* index(const Instruction& at, Value* pointer, IRBuilder<>& builder) {
    const Address address = address_of(at, pointer);
    auto& global = llvm::cast<llvm::GlobalVariable>(*address.base);
    const auto bytes = static_cast<int64_t>(
        global.getParent()->getDataLayout().getTypeAllocSize(channel_type(global)).getFixedValue());
    Value* sum = builder.getInt64(static_cast<uint64_t>(address.offset_bytes / bytes));
    for (const Term& term : address.terms) {
      Value* const value = builder.CreateSExtOrTrunc(term.value, builder.getInt64Ty());
      sum = builder.CreateAdd(
          sum, builder.CreateMul(
                   value, builder.getInt64(static_cast<uint64_t>(term.scale_bytes / bytes))));
    }
    return sum;
  }

 private:
  std::map<Value*, std::vector<Value*>> elements_;
};

// What a set of pointers may point into, and how their indexes count.
struct Frame {
  std::vector<Value*> objects;
  uint64_t unit_bytes = 0;  // 0: all point to the start
  unsigned index_bits = 1;

  unsigned which_bits() const {
    return std::max(1U, llvm::Log2_64_Ceil(static_cast<uint64_t>(objects.size())));
  }
  size_t number_of(const Value* object) const {
    return static_cast<size_t>(std::ranges::find(objects, object) - objects.begin());
  }
};

struct Place {
  Value* which = nullptr;  // Frame::which_bits()
  Value* index = nullptr;  // Frame::index_bits
};

class Expansion {
 public:
  explicit Expansion(llvm::Function& process)
      : process_(process), layout_(process.getDataLayout()) {}

  bool run() {
    std::vector<Instruction*> users;
    for (Instruction& instruction : llvm::instructions(process_)) users.push_back(&instruction);
    for (Instruction* user : users) expand(*user);
    return has_changed_;
  }

 private:
  // Which objects `pointers` may point into; none if one of them is of unknown origin.
  Frame frame_of(std::initializer_list<Value*> pointers) {
    Frame frame;
    std::set<Value*> seen;
    llvm::SetVector<Value*> objects;
    for (Value* pointer : pointers) {
      if (!collect(*pointer, seen, objects, frame.unit_bytes)) return {};
    }
    frame.objects.assign(objects.begin(), objects.end());
    if (frame.unit_bytes == 0) return frame;
    uint64_t places = 1;
    for (const Value* object : objects)
      places = std::max(places, bytes_of(*object) / frame.unit_bytes + 1);
    frame.index_bits = std::max(1U, llvm::Log2_64_Ceil(places));
    return frame;
  }

  bool collect(Value& pointer, std::set<Value*>& seen, llvm::SetVector<Value*>& objects,
               uint64_t& unit_bytes) {
    if (!seen.insert(&pointer).second || llvm::isa<llvm::UndefValue>(pointer)) return true;
    if (arrays_.is_one(without_offsets(&pointer))) {
      for (Value* element : arrays_.elements(*without_offsets(&pointer))) objects.insert(element);
      return true;
    }
    if (llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(pointer)) {
      objects.insert(&pointer);
      return true;
    }
    if (auto* step = llvm::dyn_cast<llvm::GEPOperator>(&pointer)) {
      llvm::MapVector<Value*, llvm::APInt> terms;
      llvm::APInt offset(64, 0);
      if (!step->collectOffset(layout_, 64, terms, offset)) return false;
      unit_bytes = std::gcd(unit_bytes, offset.abs().getZExtValue());
      for (const auto& [value, scale] : terms)
        unit_bytes = std::gcd(unit_bytes, scale.abs().getZExtValue());
      return collect(*step->getPointerOperand(), seen, objects, unit_bytes);
    }
    if (!is_choice(&pointer)) return false;
    auto& choice = llvm::cast<Instruction>(pointer);
    return std::ranges::all_of(choice.operands(), [&](const llvm::Use& use) {
      return !use->getType()->isPointerTy() || collect(*use, seen, objects, unit_bytes);
    });
  }

  uint64_t bytes_of(const Value& object) const {
    if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&object)) {
      const auto size = local->getAllocationSize(layout_);
      return size ? size->getFixedValue() : 0;
    }
    return layout_.getTypeAllocSize(llvm::cast<llvm::GlobalVariable>(object).getValueType())
        .getFixedValue();
  }

  const Frame& frame_of_choice(Instruction& choice) {
    const auto [known, is_new] = frames_.try_emplace(&choice);
    if (is_new) known->second = frame_of({&choice});
    return known->second;
  }

  // The place of a phi or select in its own frame.
  const Place& place_of_choice(Instruction& choice) {
    const auto known = places_.find(&choice);
    if (known != places_.end()) return known->second;
    const Frame& frame = frame_of_choice(choice);
    IRBuilder<> builder(&choice);
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&choice)) {
      const Place yes = place(choice, select->getTrueValue(), frame, builder);
      const Place no = place(choice, select->getFalseValue(), frame, builder);
      return places_[&choice] = {builder.CreateSelect(select->getCondition(), yes.which, no.which),
                                 builder.CreateSelect(select->getCondition(), yes.index, no.index)};
    }
    auto& phi = llvm::cast<llvm::PHINode>(choice);
    const unsigned ways = phi.getNumIncomingValues();
    auto* which = builder.CreatePHI(builder.getIntNTy(frame.which_bits()), ways);
    auto* index = builder.CreatePHI(builder.getIntNTy(frame.index_bits), ways, phi.getName());
    places_[&choice] = {which, index};
    for (unsigned i = 0; i < ways; ++i) {
      llvm::BasicBlock* from = phi.getIncomingBlock(i);
      builder.SetInsertPoint(from->getTerminator());
      const Place one = place(*from->getTerminator(), phi.getIncomingValue(i), frame, builder);
      which->addIncoming(one.which, from);
      index->addIncoming(one.index, from);
    }
    return places_[&choice];
  }

  // The place of a pointer, counted as `frame` does.
  Place place(const Instruction& at, Value* pointer, const Frame& frame, IRBuilder<>& builder) {
    llvm::Type* which_type = builder.getIntNTy(frame.which_bits());
    llvm::Type* index_type = builder.getIntNTy(frame.index_bits);
    const Place start = {llvm::ConstantInt::get(which_type, 0),
                         llvm::ConstantInt::get(index_type, 0)};
    Value* array = without_offsets(pointer);
    if (arrays_.is_one(array)) {
      Value* number = arrays_.index(at, pointer, builder);
      const size_t first = frame.number_of(arrays_.elements(*array)[0]);
      number = builder.CreateAdd(number, builder.getInt64(first));
      return {builder.CreateTrunc(number, which_type), start.index};
    }
    if (llvm::isa<llvm::UndefValue>(pointer)) return start;
    if (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      Place from = place(at, step->getPointerOperand(), frame, builder);
      from.index = builder.CreateAdd(from.index, steps_of(*step, frame, builder));
      return from;
    }
    if (!is_choice(pointer))
      return {llvm::ConstantInt::get(which_type, frame.number_of(pointer)), start.index};
    auto& choice = llvm::cast<Instruction>(*pointer);
    const Frame& own = frame_of_choice(choice);
    const Place& inner = place_of_choice(choice);
    return {renumbered(inner.which, own, frame, builder), scaled(inner.index, own, frame, builder)};
  }

  Value* steps_of(llvm::GEPOperator& step, const Frame& frame, IRBuilder<>& builder) {
    llvm::Type* type = builder.getIntNTy(frame.index_bits);
    llvm::MapVector<Value*, llvm::APInt> terms;
    llvm::APInt offset(64, 0);
    step.collectOffset(layout_, 64, terms, offset);
    const auto unit = static_cast<int64_t>(std::max<uint64_t>(frame.unit_bytes, 1));
    const auto units = [&](const llvm::APInt& bytes) {
      return llvm::ConstantInt::get(
          type, llvm::APInt(64, static_cast<uint64_t>(bytes.getSExtValue() / unit))
                    .trunc(frame.index_bits));
    };
    Value* sum = units(offset);
    for (const auto& [value, scale] : terms) {
      Value* factor = builder.CreateSExtOrTrunc(value, type);
      sum = builder.CreateAdd(sum, builder.CreateMul(factor, units(scale)));
    }
    return sum;
  }

  Value* renumbered(Value* which, const Frame& from, const Frame& to, IRBuilder<>& builder) {
    if (from.objects == to.objects) return which;
    llvm::Type* type = builder.getIntNTy(to.which_bits());
    Value* result = llvm::ConstantInt::get(type, to.number_of(from.objects[0]));
    for (size_t i = 1; i < from.objects.size(); ++i) {
      Value* is = builder.CreateICmpEQ(which, llvm::ConstantInt::get(which->getType(), i));
      result = builder.CreateSelect(is, llvm::ConstantInt::get(type, to.number_of(from.objects[i])),
                                    result);
    }
    return result;
  }

  // The steps of `to` include those of `from`, so its unit divides that of `from`.
  Value* scaled(Value* index, const Frame& from, const Frame& to, IRBuilder<>& builder) {
    llvm::Type* type = builder.getIntNTy(to.index_bits);
    if (from.unit_bytes == 0 || to.unit_bytes == 0) return llvm::ConstantInt::get(type, 0);
    Value* wide = builder.CreateZExtOrTrunc(index, type);
    const uint64_t ratio = from.unit_bytes / to.unit_bytes;
    return ratio == 1 ? wide : builder.CreateMul(wide, llvm::ConstantInt::get(type, ratio));
  }

  void expand(Instruction& user) {
    if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&user)) return compare(*comparison);
    if (user.getOpcode() == Instruction::Sub) return difference(user);
    Value* pointer = accessed(user);
    if (pointer == nullptr) return;
    Value* root = without_offsets(pointer);
    if (!is_choice(root) && !arrays_.is_one(root)) return;
    Value* chosen = is_choice(root) ? root : pointer;
    const Frame frame = frame_of({chosen});
    if (frame.objects.empty()) return;
    has_changed_ = true;
    IRBuilder<> builder(&user);
    const Place at = place(user, chosen, frame, builder);
    if (llvm::isa<llvm::ConstantInt>(at.which) || frame.objects.size() == 1) {
      const auto* number = llvm::dyn_cast<llvm::ConstantInt>(at.which);
      const uint64_t which = number == nullptr ? 0 : number->getZExtValue();
      if (which >= frame.objects.size()) refuse(user, "an element outside the array of streams");
      user.replaceUsesOfWith(pointer, in_object(pointer, which, frame, at, builder));
    } else if (llvm::isa<llvm::LoadInst>(user)) {
      load_all(user, pointer, frame, at, builder);
    } else {
      branch(user, pointer, frame, at);
    }
  }

  // The pointer through which an instruction accesses memory or a stream; null if there is none.
  static Value* accessed(Instruction& user) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user)) return load->getPointerOperand();
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user)) return store->getPointerOperand();
    auto* call = llvm::dyn_cast<llvm::CallInst>(&user);
    if (call == nullptr || call->getCalledFunction() == nullptr || call->arg_empty())
      return nullptr;
    const llvm::StringRef name = call->getCalledFunction()->getName();
    const bool is_channel = name.starts_with("__hls_") || name.starts_with("hls.");
    Value* first = call->getArgOperand(0);
    return is_channel && first->getType()->isPointerTy() ? first : nullptr;
  }

  // The pointer if it points into object `number`; its start, if it points into another.
  Value* in_object(Value* pointer, size_t number, const Frame& frame, const Place& at,
                   IRBuilder<>& builder) {
    if (arrays_.is_one(without_offsets(pointer))) return frame.objects[number];
    if (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      Value* from = in_object(step->getPointerOperand(), number, frame, at, builder);
      const std::vector<Value*> indexes(step->idx_begin(), step->idx_end());
      return builder.CreateGEP(step->getSourceElementType(), from, indexes);
    }
    if (frame.unit_bytes == 0) return frame.objects[number];
    Value* index = at.index;
    if (frame.objects.size() > 1)
      index = builder.CreateSelect(is(at, number, builder), index,
                                   llvm::ConstantInt::get(index->getType(), 0));
    llvm::Type* unit = llvm::ArrayType::get(builder.getInt8Ty(), frame.unit_bytes);
    return builder.CreateGEP(unit, frame.objects[number],
                             {builder.CreateZExt(index, builder.getInt64Ty())});
  }

  Value* is(const Place& at, size_t number, IRBuilder<>& builder) {
    return builder.CreateICmpEQ(at.which, llvm::ConstantInt::get(at.which->getType(), number));
  }

  // A load has no effect: all objects are read, and one value is taken.
  void load_all(Instruction& load, Value* pointer, const Frame& frame, const Place& at,
                IRBuilder<>& builder) {
    Value* result = nullptr;
    for (size_t i = 0; i < frame.objects.size(); ++i) {
      Value* one =
          builder.CreateAlignedLoad(load.getType(), in_object(pointer, i, frame, at, builder),
                                    llvm::Align(1), load.getName());
      result = result == nullptr ? one : builder.CreateSelect(is(at, i, builder), one, result);
    }
    load.replaceAllUsesWith(result);
    load.eraseFromParent();
  }

  // A block for each object, with the access of it.
  void branch(Instruction& access, Value* pointer, const Frame& frame, const Place& at) {
    llvm::BasicBlock* before = access.getParent();
    llvm::BasicBlock* after = before->splitBasicBlock(&access, before->getName() + ".chosen");
    before->getTerminator()->eraseFromParent();
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(access.getDebugLoc());
    llvm::PHINode* result = nullptr;
    if (!access.getType()->isVoidTy())
      result = llvm::PHINode::Create(access.getType(), 0, access.getName(), after->begin());
    std::vector<llvm::BasicBlock*> blocks;
    for (size_t i = 0; i < frame.objects.size(); ++i) {
      llvm::BasicBlock* block = llvm::BasicBlock::Create(
          process_.getContext(), before->getName() + ".choice", &process_, after);
      IRBuilder<> inside(block);
      inside.SetCurrentDebugLocation(access.getDebugLoc());
      Instruction* one = access.clone();
      one->replaceUsesOfWith(pointer, in_object(pointer, i, frame, at, inside));
      inside.Insert(one);
      inside.CreateBr(after);
      if (result != nullptr) result->addIncoming(one, block);
      blocks.push_back(block);
    }
    llvm::SwitchInst* choice = builder.CreateSwitch(at.which, blocks.back());
    for (size_t i = 0; i + 1 < blocks.size(); ++i)
      choice->addCase(llvm::cast<llvm::ConstantInt>(llvm::ConstantInt::get(at.which->getType(), i)),
                      blocks[i]);
    if (result != nullptr) access.replaceAllUsesWith(result);
    access.eraseFromParent();
  }

  // Both operands in one frame; false if they have none.
  bool places_of(Instruction& user, Value* a, Value* b, Frame& frame, Place& of_a, Place& of_b) {
    frame = frame_of({a, b});
    if (frame.objects.empty()) return false;
    has_changed_ = true;
    IRBuilder<> builder(&user);
    of_a = place(user, a, frame, builder);
    of_b = place(user, b, frame, builder);
    return true;
  }

  void compare(llvm::ICmpInst& comparison) {
    Value *a = comparison.getOperand(0), *b = comparison.getOperand(1);
    Frame frame;
    Place of_a, of_b;
    if (!a->getType()->isPointerTy() || !places_of(comparison, a, b, frame, of_a, of_b)) return;
    IRBuilder<> builder(&comparison);
    Value* result = builder.CreateICmp(comparison.getPredicate(), of_a.index, of_b.index);
    if (frame.objects.size() > 1 && comparison.isEquality()) {
      Value* which = builder.CreateICmp(comparison.getPredicate(), of_a.which, of_b.which);
      const bool is_equal = comparison.getPredicate() == llvm::CmpInst::ICMP_EQ;
      result = is_equal ? builder.CreateAnd(which, result) : builder.CreateOr(which, result);
    }
    comparison.replaceAllUsesWith(result);
    comparison.eraseFromParent();
  }

  // a - b in bytes.
  void difference(Instruction& user) {
    const auto* a = llvm::dyn_cast<llvm::PtrToIntOperator>(user.getOperand(0));
    const auto* b = llvm::dyn_cast<llvm::PtrToIntOperator>(user.getOperand(1));
    Frame frame;
    Place of_a, of_b;
    if (a == nullptr || b == nullptr ||
        !places_of(user, const_cast<Value*>(a->getPointerOperand()),
                   const_cast<Value*>(b->getPointerOperand()), frame, of_a, of_b))
      return;
    IRBuilder<> builder(&user);
    Value* units = builder.CreateSub(builder.CreateZExt(of_a.index, user.getType()),
                                     builder.CreateZExt(of_b.index, user.getType()));
    user.replaceAllUsesWith(
        builder.CreateMul(units, llvm::ConstantInt::get(user.getType(), frame.unit_bytes)));
    user.eraseFromParent();
  }

  llvm::Function& process_;
  const llvm::DataLayout& layout_;
  StreamArrays arrays_;
  std::map<Instruction*, Frame> frames_;
  std::map<Instruction*, Place> places_;
  bool has_changed_ = false;
};

}  // namespace

std::string stream_element_name(const std::string& array, uint64_t index) {
  return fmt::format("{}_{}", array, index);
}

bool expand_pointer_choices(llvm::Function& process) { return Expansion(process).run(); }

}  // namespace vta::hlsc::front
