// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/address.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

#include <numeric>

#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {

Address address_of(const llvm::Instruction& at, llvm::Value* pointer) {
  Address result;
  const llvm::DataLayout& layout = at.getModule()->getDataLayout();
  while (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    llvm::MapVector<llvm::Value*, llvm::APInt> terms;
    llvm::APInt offset(64, 0);
    if (!step->collectOffset(layout, 64, terms, offset))
      refuse(at, "a pointer that is not an object");
    result.offset_bytes += offset.getSExtValue();
    for (const auto& [value, scale] : terms) result.terms.push_back({value, scale.getSExtValue()});
    pointer = step->getPointerOperand();
  }
  result.base = pointer;
  return result;
}

uint32_t Entries::index_bits() const { return llvm::Log2_64_Ceil(count); }

Entries entries_of(const Address& address, int64_t memory_bytes, int64_t access_bytes) {
  int64_t stride = 0;
  for (const Term& term : address.terms) stride = std::gcd(stride, term.scale_bytes);
  if (stride == 0) stride = memory_bytes;
  const int64_t first = ((address.offset_bytes % stride) + stride) % stride;
  const int64_t span = memory_bytes - access_bytes - first;
  return {first, stride, (address.offset_bytes - first) / stride,
          span < 0 ? 0 : static_cast<uint64_t>(span / stride) + 1};
}

}  // namespace vta::hlsc::front
