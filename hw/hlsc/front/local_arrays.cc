// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/local_arrays.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "hw/hlsc/front/address.h"

namespace vta::hlsc::front {
namespace {

using llvm::AllocaInst;
using llvm::Instruction;
using llvm::Value;

uint64_t bytes_of(const AllocaInst& array) {
  const auto size = array.getAllocationSize(array.getModule()->getDataLayout());
  return size && !size->isScalable() ? size->getFixedValue() : 0;
}

// The uses of a local array: whether it is only read, except for one copy that fills it.
class CopyOfConstant {
 public:
  explicit CopyOfConstant(AllocaInst& array) : array_(array) { is_one_ = reads_only(array); }

  bool is_one() const { return is_one_ && copy_ != nullptr; }
  void replace() {
    Value* constant = copy_->getRawSource();
    copy_->eraseFromParent();
    for (Instruction* marker : markers_) marker->eraseFromParent();
    array_.replaceAllUsesWith(constant);
    array_.eraseFromParent();
  }

 private:
  bool reads_only(Value& pointer) {
    for (llvm::User* user : pointer.users()) {
      if (!is_read(*llvm::cast<Instruction>(user), pointer)) return false;
    }
    return true;
  }

  bool is_read(Instruction& user, Value& pointer) {
    if (llvm::isa<llvm::LoadInst>(user)) return true;
    if (llvm::isa<llvm::GetElementPtrInst>(user)) return reads_only(user);
    if (user.isLifetimeStartOrEnd()) {
      markers_.push_back(&user);
      return true;
    }
    auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&user);
    if (copy == nullptr) return false;
    return copy->getRawDest() == &pointer ? fills(*copy) : true;
  }

  bool fills(llvm::MemTransferInst& copy) {
    const auto* source = llvm::dyn_cast<llvm::GlobalVariable>(copy.getRawSource());
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
    if (copy_ != nullptr || copy.getRawDest() != &array_ || source == nullptr ||
        !source->isConstant() || length == nullptr || length->getZExtValue() != bytes_of(array_))
      return false;
    copy_ = &copy;
    return true;
  }

  AllocaInst& array_;
  llvm::MemTransferInst* copy_ = nullptr;
  std::vector<Instruction*> markers_;
  bool is_one_;
};

// One load or store of an array at a variable index.
class IndexedAccess {
 public:
  IndexedAccess(Instruction& access, const Address& address, const Entries& entries)
      : builder_(&access), address_(address), entries_(entries) {}

  Value* load(llvm::Type* type) {
    std::vector<Value*> values;
    for (uint64_t i = 0; i < entries_.count; ++i)
      values.push_back(builder_.CreateAlignedLoad(type, pointer(i), llvm::Align(1)));
    return choice(values, index(), 0);
  }

  void store(Value* value) {
    Value* const index = this->index();
    for (uint64_t i = 0; i < entries_.count; ++i) {
      Value* const old = builder_.CreateAlignedLoad(value->getType(), pointer(i), llvm::Align(1));
      Value* const hit = builder_.CreateICmpEQ(index, llvm::ConstantInt::get(index->getType(), i));
      builder_.CreateAlignedStore(builder_.CreateSelect(hit, value, old), pointer(i),
                                  llvm::Align(1));
    }
  }

 private:
  Value* pointer(uint64_t entry) {
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), address_.base,
                                       static_cast<uint64_t>(entries_.at(entry)));
  }

  // The number of the entry, in as many bits as entries need.
  Value* index() {
    Value* sum = builder_.getInt64(static_cast<uint64_t>(entries_.shift));
    for (const Term& term : address_.terms) {
      Value* const value = builder_.CreateSExtOrTrunc(term.value, builder_.getInt64Ty());
      const int64_t factor = term.scale_bytes / entries_.stride_bytes;
      sum = builder_.CreateAdd(
          sum, builder_.CreateMul(value, builder_.getInt64(static_cast<uint64_t>(factor))));
    }
    return builder_.CreateTrunc(sum, builder_.getIntNTy(entries_.index_bits()));
  }

  // A tree of selects, by the bits of the index.
  Value* choice(const std::vector<Value*>& values, Value* index, uint32_t bit) {
    if (values.size() == 1) return values[0];
    llvm::Type* const type = builder_.getInt1Ty();
    Value* const odd = builder_.CreateTrunc(builder_.CreateLShr(index, bit), type);
    std::vector<Value*> halves;
    for (size_t i = 0; i < values.size(); i += 2) {
      halves.push_back(i + 1 == values.size()
                           ? values[i]
                           : builder_.CreateSelect(odd, values[i + 1], values[i]));
    }
    return choice(halves, index, bit + 1);
  }

  llvm::IRBuilder<> builder_;
  const Address& address_;
  const Entries& entries_;
};

void expand(Instruction& access, Value* pointer, llvm::Type* type) {
  const Address address = address_of(access, pointer);
  const auto* array = llvm::dyn_cast<AllocaInst>(address.base);
  if (array == nullptr || address.terms.empty()) return;
  const llvm::DataLayout& layout = access.getModule()->getDataLayout();
  const Entries entries =
      entries_of(address, static_cast<int64_t>(bytes_of(*array)),
                 static_cast<int64_t>(layout.getTypeStoreSize(type).getFixedValue()));
  if (entries.count < 2 || entries.count > kMaxLocalEntries) return;
  IndexedAccess indexed(access, address, entries);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
    indexed.store(store->getValueOperand());
  } else {
    Value* const value = indexed.load(type);
    value->takeName(&access);
    access.replaceAllUsesWith(value);
  }
  access.eraseFromParent();
}

}  // namespace

void use_constants(llvm::Function& process) {
  std::vector<AllocaInst*> arrays;
  for (Instruction& instruction : llvm::instructions(process)) {
    if (auto* array = llvm::dyn_cast<AllocaInst>(&instruction)) arrays.push_back(array);
  }
  for (AllocaInst* array : arrays) {
    CopyOfConstant copy(*array);
    if (copy.is_one()) copy.replace();
  }
}

void expand_variable_indexes(llvm::Function& process) {
  std::vector<Instruction*> accesses;
  for (Instruction& instruction : llvm::instructions(process)) {
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) accesses.push_back(&instruction);
  }
  for (Instruction* access : accesses) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(access)) {
      expand(*access, store->getPointerOperand(), store->getValueOperand()->getType());
    } else {
      expand(*access, llvm::cast<llvm::LoadInst>(access)->getPointerOperand(), access->getType());
    }
  }
}

}  // namespace vta::hlsc::front
