// SPDX-License-Identifier: Apache-2.0
//
// What multipliers and memories take of a 7-series device: counted by the sizes of its parts, which
// no synthesis has confirmed.
#ifndef VTA_HW_HLSC_SCHEDULE_RESOURCES_H_
#define VTA_HW_HLSC_SCHEDULE_RESOURCES_H_

#include <cstdint>

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// DSP48E1 for the products of a process: one for a product of up to 25 x 18 bits, as many as such
// parts cover a larger one, two for the low 32 bits of 32 x 32; one for two signed products of up
// to 8 x 8 bits that share an operand and a step. Products by constants are adders.
uint32_t dsp48e1(const ir::Process& process, const ProcessSchedule& schedule);

// RAMB36, in halves: each bank takes whole RAMB18. Words of several lanes leave the parity bits
// unused.
double ramb36(const ir::Object& ram);

// A FIFO of more than 32 items is built of block RAM, a smaller one of none; so is a counter of
// tokens.
double ramb36_of_fifo(const ir::Object& stream);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_RESOURCES_H_
