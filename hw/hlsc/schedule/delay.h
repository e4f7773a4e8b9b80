// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_DELAY_H_
#define VTA_HW_HLSC_SCHEDULE_DELAY_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

// Estimates for a Zynq-7020 of the slowest speed grade, a share of the routing included; no place
// and route has confirmed them.
constexpr double kRegisterNs = 0.8;  // from the clock to a register's output
constexpr double kRamNs = 2.6;       // from the clock to a block RAM's output
constexpr double kStreamNs = 1.4;    // from the clock to a FIFO's head

// What an older iteration of a pipelined body writes, to where a younger one takes it instead of
// what the RAM gives.
constexpr double kMergeNs = 0.7;

// From the operands of an operation to its result.
double delay_ns(const ir::Process& process, const ir::Op& op);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_DELAY_H_
