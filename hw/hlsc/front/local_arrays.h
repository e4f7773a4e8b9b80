// SPDX-License-Identifier: Apache-2.0
//
// Local arrays: constant ones become tables, others lose their variable indexes, so that LLVM makes
// values of their entries, which are wires and registers in hardware.
#ifndef VTA_HW_HLSC_FRONT_LOCAL_ARRAYS_H_
#define VTA_HW_HLSC_FRONT_LOCAL_ARRAYS_H_

#include <llvm/IR/Function.h>

#include <cstdint>

namespace vta::hlsc::front {

// Replaces local arrays that are nothing but copies of constants, such as `const int8_t taps[] =
// {1, 2, 1};`, by these constants.
void use_constants(llvm::Function& process);

// Replaces accesses of local arrays at variable indexes: a read by reads of all entries and a
// choice, a write by a conditional write of each entry. Arrays of more entries stay.
constexpr uint64_t kMaxLocalEntries = 64;
void expand_variable_indexes(llvm::Function& process);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_LOCAL_ARRAYS_H_
