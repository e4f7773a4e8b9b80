// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_TIMED_PART_ENDS_H_
#define VTA_SIM_TIMED_PART_ENDS_H_

#include <span>
#include <vector>

#include "driver/device.h"
#include "sim/timed/run_trace.h"

namespace vta::sim {

// The end of each part of a recorded run.
std::vector<driver::PartEnd> part_ends(const RunTrace& trace,
                                       std::span<const driver::RunPart> parts);

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_PART_ENDS_H_
