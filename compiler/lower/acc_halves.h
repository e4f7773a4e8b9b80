// SPDX-License-Identifier: Apache-2.0
//
// AccHalves: where a tile, its residual operand and its bias lie in ACC, and the ALU's micro-ops
// for them.
//
// Tile t works in half t mod 2, so that one tile is finished and stored while the next is computed;
// a half is a bank of the core. In each half: tile, residual operand (if any), bias (one element a
// channel block; with shifts per channel each bias is followed by its shifts). The ALU's micro-ops
// are loaded once at the start of a stream into the first elements of UOP and stay.
#ifndef VTA_COMPILER_LOWER_ACC_HALVES_H_
#define VTA_COMPILER_LOWER_ACC_HALVES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "compiler/lower/epilogue.h"
#include "compiler/lower/layer_context.h"
#include "runtime/program/stream_builder.h"

namespace vta::lower {

// Elements of UOP that belong to the ALU: for each half tile/bias, tile/residual, residual alone,
// tile/shift.
inline constexpr uint32_t kAluUops = 8;

// A result, a residual operand, a bias and its shifts.
inline constexpr uint32_t kMinHalfElems = 4;

class AccHalves {
 public:
  // Elements of a half's parts; together at most half of ACC. `channel_elems`: 1 if each block has
  // a bias, 2 if shifts follow it.
  AccHalves(const CoreConfig& core, int64_t tile_elems, int64_t residual_elems, int64_t blocks,
            int64_t channel_elems);

  uint32_t tile(int half) const { return half * half_elems_; }
  uint32_t residual(int half) const { return tile(half) + tile_elems_; }
  uint32_t bias(int half) const { return residual(half) + residual_elems_; }

  // Loads the ALU's micro-ops; the first instruction of a stream.
  program::InstructionIndex load_alu_uops(LayerContext& context,
                                          program::StreamBuilder& stream) const;

  // Index in UOP of the micro-op for `operands` in `half`.
  static uint32_t alu_uop(Operands operands, int half);

  // The tile's part that an ALU pass covers: `blocks` runs of `pixels` elements, `pitch` apart. The
  // residual operand is laid out alike.
  struct Extent {
    int64_t blocks, pixels, pitch;
  };
  // Appends `passes` over a tile; the first waits for `after`. Returns the last.
  program::InstructionIndex add_passes(
      program::StreamBuilder& stream, const std::vector<AluPass>& passes, int half,
      const Extent& extent, std::initializer_list<program::InstructionIndex> after) const;

 private:
  uint32_t half_elems_, tile_elems_, residual_elems_, channel_elems_;
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_ACC_HALVES_H_
