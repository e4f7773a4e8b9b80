// SPDX-License-Identifier: Apache-2.0
//
// The slices, DSPs and block RAMs of a chip.
#ifndef VTA_HW_PLACER_CHIP_SITES_H_
#define VTA_HW_PLACER_CHIP_SITES_H_

#include <vector>

#include "hw/placer/placement.h"
#include "hw/router/chip_database.h"

namespace vta::placer {

// Two slices in each tile CLBLL and CLBLM; slice 0 of the latter has memory.
std::vector<Site> sites_of(const router::ChipDatabase& chip);

}  // namespace vta::placer

#endif  // VTA_HW_PLACER_CHIP_SITES_H_
