// SPDX-License-Identifier: Apache-2.0
//
// AccHalves: layout of the two halves of ACC, and the ALU's micro-ops on them.
//
// Tile t uses half t mod 2 (a bank of the core), so that a tile is finished and stored while the
// next one is computed. A half holds the tile, its residual operand if any, and the bias: one
// element per channel block. The block's other constants follow: shifts or factors, and corrections
// of the border. Those that GEMM computes follow the constants. With a max pool in the
// convolution's stream it also holds the pool's results, and with a scaled residual add its addend.
// The copy of a leaky relu is in the place of a residual operand, or of the tile if a pool has read
// it. The input of the ALU's tap (alu_tap.h) is in that of the tile; its weights follow the other
// constants.
#ifndef VTA_COMPILER_LOWER_ACC_HALVES_H_
#define VTA_COMPILER_LOWER_ACC_HALVES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "compiler/lower/epilogue.h"
#include "compiler/lower/layer_context.h"
#include "compiler/lower/stream_builder.h"
#include "hw/isa/instruction.h"

namespace vta::lower {

// The smallest half: one result, one residual operand, one bias and its shifts. Free scales also
// need an addend.
inline constexpr uint32_t kMinHalfElems = 4, kMinScaledHalfElems = 5;

// The micro-ops of the ALU in all layers: for each half one of the Operands before kTileAddend.
// With an immediate, the source is the destination.
inline constexpr uint32_t kAluUops = 2 * static_cast<uint32_t>(Operands::kTileAddend);

class AccHalves {
 public:
  // Elements of the parts of a half, in total at most half of ACC. `loaded_elems`: per block, the
  // bias and other constants; `corrections`: per block, what GEMM computes.
  struct Parts {
    int64_t tile = 0, residual = 0, pooled = 0;
    int64_t blocks = 0, loaded_elems = 0, corrections = 0;
    int64_t addend = 0;  // 0 or 1

    int64_t elems() const {
      return tile + residual + pooled + blocks * (loaded_elems + corrections) + addend;
    }
  };
  AccHalves(LayerContext& context, const Parts& parts);

  uint32_t tile(int half) const { return half * half_elems_; }
  uint32_t residual(int half) const { return tile(half) + tile_elems_; }
  // The residual operand, or the place of a copy.
  uint32_t second(int half) const { return residual_elems_ > 0 ? residual(half) : tile(half); }
  uint32_t pooled(int half) const { return residual(half) + residual_elems_; }
  // What the epilogue's passes work on: the pool's results, or else the tile.
  uint32_t results(int half) const { return pooled_elems_ > 0 ? pooled(half) : tile(half); }
  uint32_t bias(int half) const { return pooled(half) + pooled_elems_; }
  // Constant `index` of a block: 0 is the bias, 1 the shifts or factors.
  uint32_t channel_constant(int half, int64_t block, int64_t index) const {
    return bias(half) + static_cast<uint32_t>(block * loaded_elems_ + index);
  }
  // The first of a block's corrections that GEMM computes.
  uint32_t corrections(int half, int64_t block) const {
    return bias(half) + blocks_ * loaded_elems_ + static_cast<uint32_t>(block) * corrections_;
  }
  uint32_t addend(int half) const { return (half + 1) * half_elems_ - 1; }

  // Index in UOP of the micro-op on `operands` in `half`, which is made resident until the next
  // kernel is.
  uint32_t alu_uop(LayerContext& context, Operands operands, int half) const;

  // The elements of the results that an ALU pass covers: `blocks` runs of `pixels` elements,
  // `pitch` elements apart, from block `first_block`. The residual operand has the same layout.
  struct Extent {
    int64_t blocks, pixels, pitch;
    int64_t first_block = 0;
  };
  // Appends `passes` over the results of a tile.
  void add_passes(LayerContext& context, const std::vector<AluPass>& passes, int half,
                  const Extent& extent) const;

 private:
  std::vector<uint32_t> alu_uops(const CoreConfig& core) const;
  // The micro-op on `operands` of the extent's first block.
  isa::Uop uop_of(Operands operands, int half, const Extent& extent) const;

  uint32_t half_elems_, tile_elems_, residual_elems_, pooled_elems_, loaded_elems_;
  uint32_t blocks_, corrections_;
  std::vector<uint32_t> alu_uops_;  // encoded
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_ACC_HALVES_H_
