// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/channels.h"

#include <algorithm>

namespace vta::hlsc::front {

bool is_named(const llvm::StructType& type, llvm::StringRef name) {
  return type.hasName() &&
         (type.getName() == name || type.getName().starts_with((name + ".").str()));
}

llvm::StructType* channel_type(const llvm::GlobalVariable& global) {
  constexpr const char* kTypes[] = {"struct.hls::stream", "struct.hls::token_queue",
                                    "struct.hls::read_port", "struct.hls::write_port"};
  llvm::Type* element = global.getValueType();
  while (element->isArrayTy()) element = element->getArrayElementType();
  auto* type = llvm::dyn_cast<llvm::StructType>(element);
  const auto has_name = [&](const char* name) { return is_named(*type, name); };
  return type != nullptr && std::ranges::any_of(kTypes, has_name) ? type : nullptr;
}

}  // namespace vta::hlsc::front
