// SPDX-License-Identifier: Apache-2.0
//
// Micro-op kernels of a convolution's term, phase by phase.
#ifndef VTA_COMPILER_LOWER_PHASE_KERNELS_H_
#define VTA_COMPILER_LOWER_PHASE_KERNELS_H_

#include <cstdint>
#include <vector>

#include "compiler/lower/conv_plan.h"
#include "compiler/lower/tap_ranges.h"
#include "hw/isa/instruction.h"

namespace vta::lower {

// Micro-ops of the taps of one phase that have the same outputs of it, by row tap, then output
// block, input block and column tap. Kernels without the first or the last row taps are parts of
// those with all. One tap of each output block and phase overwrites; these micro-ops are an
// instruction before those of the adding ones.
struct PhaseKernel {
  TapRange rows, columns;  // the outputs; without `overwrites`
  std::vector<isa::Uop> overwriting, adding;
};

// First element of the tile in ACC and of the slots in INP and WGT.
struct KernelBases {
  uint32_t acc = 0, inp = 0, wgt = 0;
};

// Only phases with an output in the tile have a kernel. With `split` one tap overwrites, and taps
// leave out outputs for which they read padding, if that is worth the additional instructions;
// without, all micro-ops add.
std::vector<PhaseKernel> phase_kernels(const ConvPlan& plan, const OutputTile& tile,
                                       const ConvTerm& term, const TermWindow& window,
                                       const KernelBases& bases, bool split);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_PHASE_KERNELS_H_
