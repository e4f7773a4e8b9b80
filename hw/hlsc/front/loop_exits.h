// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_FRONT_LOOP_EXITS_H_
#define VTA_HW_HLSC_FRONT_LOOP_EXITS_H_

#include <llvm/IR/Function.h>

namespace vta::hlsc::front {

// Gives each loop one exit, in its head or at its end. A loop with several exits, or with one in
// its middle, gets an exit at its end, before which every iteration goes through a new block. What
// the iteration has not reached is left to the predicates of the translation.
void unify_loop_exits(llvm::Function& process);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_LOOP_EXITS_H_
