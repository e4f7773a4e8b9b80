// SPDX-License-Identifier: Apache-2.0
//
// Timing of the core, for estimates: cycles of vta_1x16 as hlsc schedules it for 10 ns, besides the
// micro-ops or beats of an instruction.
#ifndef VTA_CONFIGS_CORE_TIMING_H_
#define VTA_CONFIGS_CORE_TIMING_H_

#include <cstdint>

namespace vta {

// Width of each port to DRAM; equals hls::kBeatBytes.
inline constexpr uint32_t kBeatBytes = 8;

// From a request to its first beat, and from the last beat of a store to its response, with the
// memory that tilings are searched for (ideal64) and the core's own queues. Estimates.
inline constexpr uint32_t kReadLatencyCycles = 24, kWriteLatencyCycles = 20;

// From an instruction to the next one of its stage, besides the micro-ops of GEMM or the beats of
// LOAD. core_timing_test.cc measures them on the cycle model.
inline constexpr uint32_t kGemmOverheadCycles = 15, kLoadOverheadCycles = 12;

}  // namespace vta

#endif  // VTA_CONFIGS_CORE_TIMING_H_
