// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_PASSES_NARROW_PHIS_H_
#define VTA_HW_HLSC_PASSES_NARROW_PHIS_H_

#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::passes {

// Narrows each phi to bits[phi] bits, but at least 1; its uses get it zero-extended. simplify()
// then narrows the operations around it.
void narrow_phis(ir::Process& process, const std::vector<uint32_t>& bits);

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_NARROW_PHIS_H_
