// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_DROP_UNUSED_BITS_H_
#define VTA_HW_HLSC_TRANSFORM_DROP_UNUSED_BITS_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Takes from phis the top bits that nothing depends on but those bits of other phis: an address
// that is only ever used modulo 2^n counts modulo 2^n. Simplify the process again.
void drop_unused_bits(ir::Process& process);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_DROP_UNUSED_BITS_H_
