// SPDX-License-Identifier: Apache-2.0
//
// An instruction stream and an arena from raw files, whoever made them (TVM's VTA runtime, `vta-sim
// export`).
#ifndef VTA_SIM_TOOL_RAW_RUN_H_
#define VTA_SIM_TOOL_RAW_RUN_H_

#include <cstdint>
#include <span>
#include <vector>

#include "driver/evaluation.h"

namespace vta::sim {

struct RawRunResult {
  driver::Counters counters;
  std::vector<uint8_t> arena;  // as the last run left it
  double device_seconds = 0;
  std::vector<double> sample_seconds;  // of a run, by sample (driver/evaluation.h)
};

// How often: `repeat` samples of `number` runs.
struct RawRunRepetition {
  uint32_t number = 1, repeat = 1;
};

// Runs `instructions` (16 bytes each, little-endian) on a copy of `arena`, which dram_base counts
// from. The instructions lie behind the arena, page aligned; what the program reaches ends with
// them. Errors: kInvalidArgument if the instructions are no whole number of 16 bytes, or none;
// those of Device.
RawRunResult run_raw(std::span<const uint8_t> instructions, std::span<const uint8_t> arena,
                     driver::Device& device, const RawRunRepetition& repetition = {});

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_RAW_RUN_H_
