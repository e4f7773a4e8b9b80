// SPDX-License-Identifier: Apache-2.0
//
// Where the values of a process are used: by operations, and by loops as their predicates,
// conditions, and what their phis start from and go on with.
#ifndef VTA_HW_HLSC_IR_USES_H_
#define VTA_HW_HLSC_IR_USES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::ir {

// `visit` may change the value and may add operations, which are not visited.
using VisitUse = std::function<void(ValueId& value)>;

// All uses; those outside of `loop` if one is given.
void visit_uses(Process& process, const VisitUse& visit, const Loop* outside = nullptr);

// How often each value is used, by ValueId.
std::vector<uint32_t> count_uses(const Process& process);

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_USES_H_
