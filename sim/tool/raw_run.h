// SPDX-License-Identifier: Apache-2.0
//
// An instruction stream and an arena from raw files, whoever made them (TVM's VTA runtime, `vta-sim
// export`).
#ifndef VTA_SIM_TOOL_RAW_RUN_H_
#define VTA_SIM_TOOL_RAW_RUN_H_

#include <cstdint>
#include <span>
#include <vector>

#include "driver/device.h"

namespace vta::sim {

struct RawRunResult {
  driver::Counters counters;
  std::vector<uint8_t> arena;  // as the program left it
  double device_seconds = 0;
};

// Runs `instructions` (16 bytes each, little-endian) on a copy of `arena`, which dram_base counts
// from. The instructions lie behind the arena, page aligned; what the program reaches ends with
// them. Errors: kInvalidArgument if the instructions are no whole number of 16 bytes, or none;
// those of Device.
RawRunResult run_raw(std::span<const uint8_t> instructions, std::span<const uint8_t> arena,
                     driver::Device& device);

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_RAW_RUN_H_
