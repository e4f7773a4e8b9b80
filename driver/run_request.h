// SPDX-License-Identifier: Apache-2.0
//
// Checks a RunRequest, reads its instructions and computes its deadline, for every device.
#ifndef VTA_DRIVER_RUN_REQUEST_H_
#define VTA_DRIVER_RUN_REQUEST_H_

#include <cstdint>
#include <vector>

#include "base/limits/deadline.h"
#include "driver/device.h"
#include "hw/isa/instruction.h"

namespace vta::driver {

// Errors: kInvalidArgument for an arena or a program that is not aligned, and for a program outside
// the arena. The device checks that the arena is inside one allocation.
void check(const RunRequest& request);

// Copies the program of a checked request. `arena`: the host's view of the arena, which may be
// shared with a core.
std::vector<isa::InstructionBits> instructions_of(const RunRequest& request, const uint8_t* arena);

// Now plus the request's timeout, saturated to the maximum time point, or when its `stop` is set.
Deadline deadline_of(const RunRequest& request);

// Throws the error of a run that has not ended before its deadline: kTimeout, or kDevice if it was
// stopped.
[[noreturn]] void fail_at_deadline(const RunRequest& request);

}  // namespace vta::driver

#endif  // VTA_DRIVER_RUN_REQUEST_H_
