// SPDX-License-Identifier: Apache-2.0
//
// The arena over an inference: which bytes of device memory hold which tensor, and when.
#ifndef VTA_SIM_ANALYSIS_REPORT_ARENA_MAP_H_
#define VTA_SIM_ANALYSIS_REPORT_ARENA_MAP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/program/program.h"

namespace vta::sim {

struct ArenaRegion {
  std::string name;
  uint64_t offset_bytes = 0, size_bytes = 0;
  size_t first_step = 0, last_step = 0;  // of the program that write or read it
};

// The packed tensors that steps write or read, by offset. Constants, micro-ops and instructions are
// below, in the arena image.
std::vector<ArenaRegion> arena_map(const Program& program);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_ARENA_MAP_H_
