// SPDX-License-Identifier: Apache-2.0
//
// Runs an instruction stream and an arena from raw files, for example from TVM's VTA runtime or
// `vta-sim export`.
#ifndef VTA_TOOLS_SIM_RAW_RUN_H_
#define VTA_TOOLS_SIM_RAW_RUN_H_

#include <cstdint>
#include <span>
#include <vector>

#include "driver/evaluation.h"

namespace vta::sim {

struct RawRunResult {
  hw::Counters counters;
  std::vector<uint8_t> arena;  // after the last run
  double device_seconds = 0;
  std::vector<double> sample_seconds;  // per run, by sample (driver/evaluation.h)
};

// `repeat` samples of `number` runs each.
struct RawRunRepetition {
  uint32_t number = 1, repeat = 1;
};

// An instruction stream (16 bytes each, little-endian) and the arena that it runs on; dram_base
// counts from the start of the arena. The instructions are stored after the arena, page aligned,
// and are the end of the accessible memory.
struct RawProgram {
  std::span<const uint8_t> instructions, arena;
  uint64_t program_offset_bytes() const;
};

// Errors: kInvalidArgument if the instructions are empty or not a multiple of 16 bytes, or if one
// accesses DRAM between the end of the arena and the end of the instructions.
void check(const RawProgram& program, const CoreConfig& core);

// Runs a program that check() accepts on a copy of its arena. Errors: any error of Device.
RawRunResult run_raw(const RawProgram& program, driver::Device& device,
                     const RawRunRepetition& repetition = {});

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_RAW_RUN_H_
