// SPDX-License-Identifier: Apache-2.0
//
// Block RAM of a 7-series device that a memory takes.
#ifndef VTA_HW_HLSC_REPORT_RESOURCES_H_
#define VTA_HW_HLSC_REPORT_RESOURCES_H_

#include <cstdint>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::report {

// RAMB36, in halves: each bank takes whole RAMB18. Words of several lanes leave the parity bits
// unused.
double ramb36(const ir::Object& ram);

// A FIFO of more than 32 items is built of block RAM, a smaller one of none; so is a counter of
// tokens.
double ramb36_of_fifo(const ir::Object& stream);

}  // namespace vta::hlsc::report

#endif  // VTA_HW_HLSC_REPORT_RESOURCES_H_
