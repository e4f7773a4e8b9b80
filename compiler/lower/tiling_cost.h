// SPDX-License-Identifier: Apache-2.0
//
// The cost of a tiling, an estimate in cycles: roughly from totals, to rank all tilings, or from
// its timeline. Either is the maximum of the GEMM, ALU, load and store times, plus the exposed
// prologue and epilogue, plus half a cycle per 64-bit beat of DRAM traffic. The last part prefers
// less traffic among tilings of equal time.
#ifndef VTA_COMPILER_LOWER_TILING_COST_H_
#define VTA_COMPILER_LOWER_TILING_COST_H_

#include <cstdint>

#include "compiler/lower/tiling.h"
#include "compiler/lower/tiling_space.h"
#include "configs/core_config.h"

namespace vta::lower {

// Overhead of a GEMM instruction where tilings are ranked without their timelines. It is chosen,
// not measured like kGemmOverheadCycles: with it and the constants of tiling_cost.cc the networks
// of configs/networks take the least time.
inline constexpr int64_t kRankedGemmOverheadCycles = 12;

TilingCost rough_cost(const TilingProblem& problem, const CoreConfig& core,
                      const TilingCandidate& candidate);

// Replaces the traffic, the exposed and the total cycles by those of the timeline; infinite if they
// exceed `limit_cycles`. Returns the terms of the timeline that were walked.
int64_t set_timeline_cost(const TilingProblem& problem, const CoreConfig& core, double limit_cycles,
                          Tiling& tiling);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_TILING_COST_H_
