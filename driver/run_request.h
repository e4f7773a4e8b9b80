// SPDX-License-Identifier: Apache-2.0
//
// What every device does with a RunRequest before it runs: check it, find its instructions, turn
// its timeout into a moment.
#ifndef VTA_DRIVER_RUN_REQUEST_H_
#define VTA_DRIVER_RUN_REQUEST_H_

#include <chrono>
#include <cstdint>
#include <vector>

#include "driver/device.h"
#include "hw/isa/instruction.h"

namespace vta::driver {

// Errors: kInvalidArgument for an arena or a program that is not aligned, and for a program that is
// not inside the arena. That the arena is inside one allocation is the device's to check.
void check(const RunRequest& request);

// The program of a checked request. `arena` is the host's view of the arena, shared
// with a core perhaps.
std::vector<isa::InstructionBits> instructions_of(const RunRequest& request, const uint8_t* arena);

// `timeout` from now on; the clock's end for one that goes beyond it, as `milliseconds::max()`
// does.
std::chrono::steady_clock::time_point deadline_after(std::chrono::milliseconds timeout);

}  // namespace vta::driver

#endif  // VTA_DRIVER_RUN_REQUEST_H_
