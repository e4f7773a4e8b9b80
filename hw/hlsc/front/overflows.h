// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic whose overflow is asked for or clipped: __builtin_add_overflow and its like,
// __builtin_elementwise_add_sat.
#ifndef VTA_HW_HLSC_FRONT_OVERFLOWS_H_
#define VTA_HW_HLSC_FRONT_OVERFLOWS_H_

#include <llvm/IR/Function.h>

namespace vta::hlsc::front {

// Computes such operations in as many bits as the exact result has.
void expand_overflows(llvm::Function& process);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_OVERFLOWS_H_
