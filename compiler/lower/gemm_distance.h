// SPDX-License-Identifier: Apache-2.0
//
// Micro-ops of a GEMM on one accumulator, a distance apart.
//
// A kernel with the reduction innermost writes one accumulator in consecutive micro-ops, which this
// core does at full speed. VTA's GEMM has a pipeline without forwarding: its runtime rejects
// kernels that write an accumulator again within the next two micro-ops.
#ifndef VTA_COMPILER_LOWER_GEMM_DISTANCE_H_
#define VTA_COMPILER_LOWER_GEMM_DISTANCE_H_

#include <cstdint>
#include <vector>

#include "hw/isa/instruction.h"

namespace vta::lower {

// The distance in micro-ops that VTA requires between two on one accumulator.
inline constexpr int64_t kVtaGemmDistance = 3;

// A GEMM without uop_bgn and uop_end, and its micro-ops.
struct GemmKernel {
  isa::Instruction loops;
  std::vector<isa::Uop> uops;
};

// GEMMs of at most `max_uops` micro-ops each that compute the same as `kernel`. They reach an
// accumulator again after `distance` micro-ops at the earliest, or after all others if there
// are fewer. Micro-ops of different accumulators alternate, and as many iterations of the loops
// as that takes are unrolled into the kernel. No two iterations of `kernel` write one
// accumulator.
std::vector<GemmKernel> separated(const GemmKernel& kernel, int64_t distance, int64_t max_uops);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_GEMM_DISTANCE_H_
