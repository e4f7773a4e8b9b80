// SPDX-License-Identifier: Apache-2.0
//
// A chosen pointer becomes two integers: which of its objects it points into, and the index there.
// The index counts units, the largest common divisor of all steps, so that the address stays a
// multiple of whole elements. It has just the bits for all places in the object and the one after
// it: C++ allows a pointer no other place. An array of streams is one object here, until an access
// chooses among its elements.
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
    const uint64_t count =
        layout.getTypeAllocSize(global.getValueType()).getFixedValue() / element_bytes(global);
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

  static uint64_t element_bytes(const Value& array) {
    const auto& global = llvm::cast<llvm::GlobalVariable>(array);
    return global.getParent()->getDataLayout().getTypeAllocSize(channel_type(global));
  }

  // Refuses a constant index outside the array. The place after its last element is one to compare
  // with.
  void refuse_outside(const Instruction& at, Value* pointer, bool is_access) {
    const Address address = address_of(at, pointer);
    if (!address.terms.empty()) return;
    const auto index = address.offset_bytes / static_cast<int64_t>(element_bytes(*address.base));
    const auto count = static_cast<int64_t>(elements(*address.base).size());
    if (index >= 0 && index < count + (is_access ? 0 : 1)) return;
    refuse(at, fmt::format("an element outside the array of streams: {}[{}], expected an index "
                           "from 0 to {}",
                           member_name(address.base->getName().str()), index, count - 1));
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

// A pointer of an access. The place is that of `chosen`, which it is some constant or variable
// steps after.
struct Access {
  Value *pointer, *chosen;
  Frame frame;
  Place at;
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
    for (const Value* object : objects) {
      const uint64_t word = word_bytes(*object);  // whole, or of whole units
      if (word != 0 && frame.unit_bytes % word != 0)
        frame.unit_bytes = std::gcd(frame.unit_bytes, word);
    }
    uint64_t places = 1;
    for (const Value* object : objects)
      places = std::max(places, bytes_of(*object) / frame.unit_bytes + 1);
    frame.index_bits = std::max(1U, llvm::Log2_64_Ceil(places));
    return frame;
  }

  bool collect(Value& pointer, std::set<Value*>& seen, llvm::SetVector<Value*>& objects,
               uint64_t& unit_bytes) {
    if (!seen.insert(&pointer).second || llvm::isa<llvm::UndefValue>(pointer)) return true;
    if (arrays_.is_one(&pointer))
      unit_bytes = std::gcd(unit_bytes, StreamArrays::element_bytes(pointer));
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

  // An element of an array that is not constant, which a RAM is; 0 for other objects.
  uint64_t word_bytes(const Value& object) const {
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&object);
    if (global == nullptr || global->isConstant() || arrays_.is_one(global)) return 0;
    const auto* words = llvm::dyn_cast<llvm::ArrayType>(global->getValueType());
    if (words == nullptr) return 0;
    return layout_.getTypeAllocSize(words->getElementType()).getFixedValue();
  }
  bool has_arrays(const Frame& frame) const {
    return std::ranges::any_of(frame.objects, [&](Value* one) { return arrays_.is_one(one); });
  }
  bool has_parts_of_words(const Frame& frame) const {
    return frame.unit_bytes != 0 && std::ranges::any_of(frame.objects, [&](const Value* object) {
             return word_bytes(*object) > frame.unit_bytes;
           });
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
      for (Value* one : {select->getTrueValue(), select->getFalseValue()}) {
        if (arrays_.is_one(without_offsets(one))) arrays_.refuse_outside(choice, one, true);
      }
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
      // A switch may have several edges from one block: these have one value.
      if (const int same = which->getBasicBlockIndex(from); same >= 0) {
        which->addIncoming(which->getIncomingValue(static_cast<unsigned>(same)), from);
        index->addIncoming(index->getIncomingValue(static_cast<unsigned>(same)), from);
        continue;
      }
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
    if (arrays_.is_one(without_offsets(pointer))) arrays_.refuse_outside(at, pointer, false);
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
    Access access = {pointer, root, frame_of({root}), {}};
    if (access.frame.objects.empty()) return;
    // The sum of all steps is an element of an array; that of several lanes carries into the word.
    const bool is_array = has_arrays(access.frame);
    if (is_array || (has_parts_of_words(access.frame) && has_variable_steps(pointer))) {
      access.chosen = pointer;
      access.frame = frame_of({pointer});
      if (access.frame.objects.empty()) return;
    }
    has_changed_ = true;
    IRBuilder<> builder(&user);
    access.at = place(user, access.chosen, access.frame, builder);
    if (arrays_.is_one(root)) arrays_.refuse_outside(user, pointer, true);
    if (is_array) choose_element(access, builder);
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(access.at.which);
    if (number != nullptr || access.frame.objects.size() == 1) {
      const size_t which = access.frame.objects.size() == 1 ? 0 : number->getZExtValue();
      user.replaceUsesOfWith(pointer, in_object(access, pointer, which, builder));
    } else if (llvm::isa<llvm::LoadInst>(user)) {
      load_all(user, access, builder);
    } else {
      branch(user, access);
    }
  }

  static bool has_variable_steps(Value* pointer) {
    for (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer); step != nullptr;
         step = llvm::dyn_cast<llvm::GEPOperator>(step->getPointerOperand())) {
      if (!step->hasAllConstantIndices()) return true;
    }
    return false;
  }

  // From a place in arrays of streams to one of their elements.
  void choose_element(Access& access, IRBuilder<>& builder) {
    Frame elements;
    std::vector<size_t> first;
    for (Value* object : access.frame.objects) {
      first.push_back(elements.objects.size());
      if (!arrays_.is_one(object)) {
        elements.objects.push_back(object);
        continue;
      }
      const std::vector<Value*>& own = arrays_.elements(*object);
      elements.objects.insert(elements.objects.end(), own.begin(), own.end());
    }
    llvm::Type* type = builder.getIntNTy(elements.which_bits());
    Value* which = nullptr;
    for (size_t i = 0; i < first.size(); ++i) {
      Value* one = llvm::ConstantInt::get(type, first[i]);
      if (arrays_.is_one(access.frame.objects[i]))
        one = builder.CreateAdd(one, builder.CreateZExtOrTrunc(access.at.index, type));
      which = which == nullptr ? one : builder.CreateSelect(is(access.at, i, builder), one, which);
    }
    access.frame = elements;
    access.at = {which, llvm::ConstantInt::get(builder.getIntNTy(1), 0)};
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
  Value* in_object(const Access& access, Value* pointer, size_t number, IRBuilder<>& builder) {
    const Frame& frame = access.frame;
    if (pointer != access.chosen) {
      auto& step = llvm::cast<llvm::GEPOperator>(*pointer);
      Value* from = in_object(access, step.getPointerOperand(), number, builder);
      const std::vector<Value*> indexes(step.idx_begin(), step.idx_end());
      return builder.CreateGEP(step.getSourceElementType(), from, indexes);
    }
    Value* object = frame.objects[number];
    if (frame.unit_bytes == 0) return object;
    Value* index = access.at.index;
    if (frame.objects.size() > 1)
      index = builder.CreateSelect(is(access.at, number, builder), index,
                                   llvm::ConstantInt::get(index->getType(), 0));
    index = builder.CreateZExt(index, builder.getInt64Ty());
    if (const uint64_t word = word_bytes(*object); word > frame.unit_bytes) {
      const uint64_t units = word / frame.unit_bytes;
      object = stepped(object, word, quotient(index, units, builder), builder);
      index = remainder(index, units, builder);
    }
    return stepped(object, frame.unit_bytes, index, builder);
  }
  static Value* stepped(Value* pointer, uint64_t bytes, Value* steps, IRBuilder<>& builder) {
    return builder.CreateGEP(llvm::ArrayType::get(builder.getInt8Ty(), bytes), pointer, {steps});
  }
  static Value* quotient(Value* index, uint64_t by, IRBuilder<>& builder) {
    return llvm::isPowerOf2_64(by) ? builder.CreateLShr(index, llvm::Log2_64(by))
                                   : builder.CreateUDiv(index, builder.getInt64(by));
  }
  static Value* remainder(Value* index, uint64_t by, IRBuilder<>& builder) {
    return llvm::isPowerOf2_64(by) ? builder.CreateAnd(index, by - 1)
                                   : builder.CreateURem(index, builder.getInt64(by));
  }

  Value* is(const Place& at, size_t number, IRBuilder<>& builder) {
    return builder.CreateICmpEQ(at.which, llvm::ConstantInt::get(at.which->getType(), number));
  }

  // A load has no effect: all objects are read, and one value is taken.
  void load_all(Instruction& load, const Access& access, IRBuilder<>& builder) {
    Value* result = nullptr;
    for (size_t i = 0; i < access.frame.objects.size(); ++i) {
      Value* one =
          builder.CreateAlignedLoad(load.getType(), in_object(access, access.pointer, i, builder),
                                    llvm::Align(1), load.getName());
      result =
          result == nullptr ? one : builder.CreateSelect(is(access.at, i, builder), one, result);
    }
    load.replaceAllUsesWith(result);
    load.eraseFromParent();
  }

  // A block for each object, with the access of it.
  void branch(Instruction& user, const Access& access) {
    llvm::BasicBlock* before = user.getParent();
    llvm::BasicBlock* after = before->splitBasicBlock(&user, before->getName() + ".chosen");
    before->getTerminator()->eraseFromParent();
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(user.getDebugLoc());
    llvm::PHINode* result = nullptr;
    if (!user.getType()->isVoidTy())
      result = llvm::PHINode::Create(user.getType(), 0, user.getName(), after->begin());
    std::vector<llvm::BasicBlock*> blocks;
    for (size_t i = 0; i < access.frame.objects.size(); ++i) {
      llvm::BasicBlock* block = llvm::BasicBlock::Create(
          process_.getContext(), before->getName() + ".choice", &process_, after);
      IRBuilder<> inside(block);
      inside.SetCurrentDebugLocation(user.getDebugLoc());
      Instruction* one = user.clone();
      one->replaceUsesOfWith(access.pointer, in_object(access, access.pointer, i, inside));
      inside.Insert(one);
      inside.CreateBr(after);
      if (result != nullptr) result->addIncoming(one, block);
      blocks.push_back(block);
    }
    llvm::SwitchInst* choice = builder.CreateSwitch(access.at.which, blocks.back());
    for (size_t i = 0; i + 1 < blocks.size(); ++i)
      choice->addCase(
          llvm::cast<llvm::ConstantInt>(llvm::ConstantInt::get(access.at.which->getType(), i)),
          blocks[i]);
    if (result != nullptr) user.replaceAllUsesWith(result);
    user.eraseFromParent();
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
