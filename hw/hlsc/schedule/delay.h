// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_DELAY_H_
#define VTA_HW_HLSC_SCHEDULE_DELAY_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

// Delay estimates for a Zynq-7020 of the slowest speed grade, with a share of the routing; not
// confirmed by place and route.
constexpr double kRegisterNs = 0.8;  // from the clock to a register's output
constexpr double kRamNs = 2.6;       // from the clock to a block RAM's output
constexpr double kStreamNs = 1.4;    // from the clock to a FIFO's head

// Forwarding: the multiplexer that replaces a RAM's word by what an older iteration writes.
constexpr double kMergeNs = 0.7;

// From the operands of an operation to its result.
double delay_ns(const ir::Process& process, const ir::Op& op);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_DELAY_H_
