// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_NARROW_PHIS_H_
#define VTA_HW_HLSC_TRANSFORM_NARROW_PHIS_H_

#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Each phi becomes one of bits[phi] bits (of one at least), if it is wider; its uses take it
// extended by zeros. simplify() narrows what it is computed from and what is computed from it.
void narrow_phis(ir::Process& process, const std::vector<uint32_t>& bits);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_NARROW_PHIS_H_
