// SPDX-License-Identifier: Apache-2.0
//
// GEMM's time for the products of a convolution.
#ifndef VTA_COMPILER_LOWER_GEMM_CYCLES_H_
#define VTA_COMPILER_LOWER_GEMM_CYCLES_H_

#include <cstdint>

#include "compiler/lower/tiling.h"
#include "configs/core_sizes.h"
#include "hw/isa/pixel_pairs.h"

namespace vta::lower {

// Products of GEMM in a cycle: two, of neighbouring outputs in a row, if the core has pixel pairs.
// An estimate: an odd row takes half a cycle more, and some micro-ops that overwrite a whole.
inline double products_a_cycle(const TilingProblem& problem, const CoreSizes& core) {
  const ConvAxis& columns = problem.shape.columns;
  const isa::GemmPairing gemm{.split = problem.split,
                              .reset = false,
                              .num_uops = 1,
                              .dst_factor_in = static_cast<uint32_t>(columns.num_phases()),
                              .src_factor_in = static_cast<uint32_t>(columns.in_stride()),
                              .wgt_factor_in = 0};
  return isa::runs_in_pairs(gemm) ? core.pixels : 1;
}

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_GEMM_CYCLES_H_
