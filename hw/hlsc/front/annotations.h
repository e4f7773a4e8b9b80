// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_FRONT_ANNOTATIONS_H_
#define VTA_HW_HLSC_FRONT_ANNOTATIONS_H_

#include <llvm/IR/GlobalValue.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::front {

// Annotations of hw/hls/pragma.h, by the annotated function or variable.
struct Annotation {
  std::string text;
  std::vector<uint64_t> numbers;  // its arguments. RAMs: bytes of a word, interleaved ways
  ir::Location location;
};
std::map<const llvm::GlobalValue*, Annotation> annotations(const llvm::Module& module);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_ANNOTATIONS_H_
