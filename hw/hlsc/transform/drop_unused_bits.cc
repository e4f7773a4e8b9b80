// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/drop_unused_bits.h"

#include "hw/hlsc/transform/demanded_bits.h"
#include "hw/hlsc/transform/narrow_phis.h"

namespace vta::hlsc::transform {

void drop_unused_bits(ir::Process& process) {
  narrow_phis(process, demanded_bits(process, Slices::kCount));
}

}  // namespace vta::hlsc::transform
