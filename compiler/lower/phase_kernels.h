// SPDX-License-Identifier: Apache-2.0
//
// The micro-ops that multiply what a term of a convolution reads, phase by phase.
#ifndef VTA_COMPILER_LOWER_PHASE_KERNELS_H_
#define VTA_COMPILER_LOWER_PHASE_KERNELS_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_plan.h"
#include "hw/isa/instruction.h"

namespace vta::lower {

// Of one phase in one term, by output block, then input block, then tap. Those that overwrite, each
// output block's first tap, are instructions of their own and come before those that add.
struct PhaseKernel {
  int64_t row_phase = 0, column_phase = 0;
  std::vector<isa::Uop> overwriting, adding;
};

// First elements of the tile in ACC and of the slots in INP and WGT.
struct KernelBases {
  uint32_t acc = 0, inp = 0, wgt = 0;
};

// Phases without an output in the tile have none. Unless `overwrites`, all micro-ops add.
std::vector<PhaseKernel> phase_kernels(const ConvPlan& plan, const OutputTile& tile,
                                       const ConvTerm& term, const TermWindow& window,
                                       const KernelBases& bases, bool overwrites);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_PHASE_KERNELS_H_
