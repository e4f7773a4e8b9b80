// SPDX-License-Identifier: Apache-2.0
//
// Block RAM of a 7-series device that a memory takes.
#ifndef VTA_HW_HLSC_REPORT_RESOURCES_H_
#define VTA_HW_HLSC_REPORT_RESOURCES_H_

#include <cstdint>

#include "hw/hlsc/bind/ram_ports.h"
#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::report {

// RAMB36, in steps of 1/2: each bank takes whole RAMB18. Words of several lanes leave the parity
// bits unused; a true dual-port RAM18 has words of 18 bits at most. A RAM that is never read or
// never written takes none: synthesis removes it; nor does a small one, which is LUT RAM.
double ramb36(const ir::Object& ram, const bind::RamPorts& ports);

// 0 for a FIFO of at most 64 items, which is LUT RAM, and for a counter of tokens. Synthesis may
// also build narrow FIFOs of a few hundred items of LUT RAM, which are counted as block RAM here.
double ramb36_of_fifo(const ir::Object& stream);

}  // namespace vta::hlsc::report

#endif  // VTA_HW_HLSC_REPORT_RESOURCES_H_
