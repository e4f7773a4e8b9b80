// SPDX-License-Identifier: Apache-2.0
//
// Pointers that depend on run time: the iterator of a loop over an array, `c ? a[i] : b[i]` as an
// operand or a target, a reference to one of several streams, an element of an array of streams.
#ifndef VTA_HW_HLSC_FRONT_POINTER_CHOICES_H_
#define VTA_HW_HLSC_FRONT_POINTER_CHOICES_H_

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string>

namespace vta::hlsc::front {

// The name of an element of an array of streams, as the design has it.
std::string stream_element_name(const std::string& array, uint64_t index);

// Makes a variable of each element of an array of streams, and an access of each object of an
// access through a choice. Returns whether anything has changed; unused choices stay.
// A pointer of unknown origin stays, and is refused later.
bool expand_pointer_choices(llvm::Function& process);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_POINTER_CHOICES_H_
