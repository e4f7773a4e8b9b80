// SPDX-License-Identifier: Apache-2.0
//
// From the grain of slices to that of slots.
#ifndef VTA_HW_FPGA_PLACER_SLOTS_H_
#define VTA_HW_FPGA_PLACER_SLOTS_H_

#include "hw/fpga/placer/placement.h"

namespace vta::placer {

// The same cells in the same places, with units of their own for the LUTs and the flip-flops of
// each slot in slices that hold nothing else: no carry, wide multiplexer or memory. Such slices and
// empty ones become sites of slots; the others remain slices.
Placement split_into_slots(const Placement& slices);

}  // namespace vta::placer

#endif  // VTA_HW_FPGA_PLACER_SLOTS_H_
