// SPDX-License-Identifier: Apache-2.0
//
// The slices, DSPs and block RAMs of a chip.
#ifndef VTA_HW_FPGA_PLACER_CHIP_SITES_H_
#define VTA_HW_FPGA_PLACER_CHIP_SITES_H_

#include <vector>

#include "hw/fpga/placer/placement.h"
#include "hw/fpga/router/chip_database.h"

namespace vta::placer {

// Two slices in each tile CLBLL and CLBLM; slice 0 of the latter has memory.
std::vector<Site> sites_of(const router::ChipDatabase& chip);

}  // namespace vta::placer

#endif  // VTA_HW_FPGA_PLACER_CHIP_SITES_H_
