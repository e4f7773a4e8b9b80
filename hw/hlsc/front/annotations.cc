// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/annotations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

namespace vta::hlsc::front {

std::map<const llvm::GlobalValue*, Annotation> annotations(const llvm::Module& module) {
  const auto text_of = [](const llvm::Value* text) {
    const auto* data = llvm::cast<llvm::GlobalVariable>(text)->getInitializer();
    return llvm::cast<llvm::ConstantDataArray>(data)->getAsCString().str();
  };
  // The arguments of an annotation are the members of a constant struct.
  const auto numbers_of = [](const llvm::Value* arguments) {
    std::vector<uint64_t> numbers;
    const auto* data = llvm::dyn_cast<llvm::GlobalVariable>(arguments);
    for (unsigned i = 0; data != nullptr; ++i) {
      const auto* number =
          llvm::dyn_cast_or_null<llvm::ConstantInt>(data->getInitializer()->getAggregateElement(i));
      if (number == nullptr) break;
      numbers.push_back(number->getZExtValue());
    }
    return numbers;
  };
  std::map<const llvm::GlobalValue*, Annotation> result;
  const llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global.annotations");
  if (list == nullptr) return result;
  for (const llvm::Use& use : list->getInitializer()->operands()) {
    const auto* entry = llvm::cast<llvm::ConstantStruct>(use.get());
    const auto* target = llvm::dyn_cast<llvm::GlobalValue>(entry->getOperand(0));
    if (target == nullptr) continue;
    const auto* line = llvm::cast<llvm::ConstantInt>(entry->getOperand(3));
    result[target] = {text_of(entry->getOperand(1)),
                      numbers_of(entry->getOperand(4)),
                      {text_of(entry->getOperand(2)), static_cast<uint32_t>(line->getZExtValue())}};
  }
  return result;
}

}  // namespace vta::hlsc::front
