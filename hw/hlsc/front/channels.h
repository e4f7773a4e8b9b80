// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_FRONT_CHANNELS_H_
#define VTA_HW_HLSC_FRONT_CHANNELS_H_

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalVariable.h>

namespace vta::hlsc::front {

// Whether a type of hw/hls has this name, whatever its template arguments.
bool is_named(const llvm::StructType& type, llvm::StringRef name);

// The type of a stream or port of hw/hls, or of the elements of an array of them; null for other
// variables.
llvm::StructType* channel_type(const llvm::GlobalVariable& global);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_CHANNELS_H_
