// SPDX-License-Identifier: Apache-2.0
//
// The estimated time of a convolution's stream: a walk through its tiles and terms that keeps, for
// each stage, slot and half of ACC, the cycle at which it is free. Unlike a bound by totals it sees
// when loads cannot overlap, such as those of weights that stay resident until the last tile that
// uses them.
//
// The overheads are those of instructions on the cycle model with memory ideal64.
#ifndef VTA_COMPILER_LOWER_TILE_TIMELINE_H_
#define VTA_COMPILER_LOWER_TILE_TIMELINE_H_

#include "compiler/lower/tiling.h"
#include "configs/core_config.h"

namespace vta::lower {

// Cycles from the start of the layer to its end.
struct TileTimeline {
  double cycles = 0;
  double head = 0;        // before the first GEMM
  double tail = 0;        // after the last GEMM
  double dram_beats = 0;  // of 8 bytes, loads and stores
  double wgt_beats = 0;   // of these, weights
  double tap_beats = 0;   // of these, the operand of the ALU's tap
  int64_t terms = 0;      // that the walk has seen
};

// Stops with an infinite number of cycles when those from the first GEMM on exceed `limit_cycles`.
TileTimeline tile_timeline(const TilingProblem& problem, const Tiling& tiling,
                           const CoreConfig& core, double limit_cycles);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_TILE_TIMELINE_H_
