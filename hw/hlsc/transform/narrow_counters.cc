// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/narrow_counters.h"

#include "hw/hlsc/transform/narrow_phis.h"
#include "hw/hlsc/transform/value_bits.h"

namespace vta::hlsc::transform {

void narrow_counters(ir::Process& process) { narrow_phis(process, value_bits(process)); }

}  // namespace vta::hlsc::transform
