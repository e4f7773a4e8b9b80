// SPDX-License-Identifier: Apache-2.0
//
// ConvPlan: a convolution and its tiling, shared by all stages of its stream.
#ifndef VTA_COMPILER_LOWER_CONV_PLAN_H_
#define VTA_COMPILER_LOWER_CONV_PLAN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lower/alu_tap.h"
#include "compiler/lower/border.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/conv_terms.h"
#include "compiler/lower/output_tiles.h"
#include "compiler/lower/tiling.h"

namespace vta::lower {

// The input that a term reads for a tile; empty if the term's phases have no output in the tile.
struct TermWindow {
  AxisWindow rows, columns;
  bool is_empty() const { return rows.count == 0 || columns.count == 0; }
};

struct ConvPlan {
  ConvPlan(const ConvSchedule& schedule, const CoreConfig& core);

  const std::vector<ConvTerm>& terms_of(const OutputTile& tile) const {
    return terms[static_cast<size_t>(tile.blocks.index)];
  }
  // That of alu_tap in this tile. The first one has none: GEMM, which starts with it, would wait
  // for the ALU.
  std::optional<AluTap> alu_tap_of(const OutputTile& tile) const {
    return tile.index > 0 ? alu_tap : std::nullopt;
  }
  TermWindow window_of(const ConvTerm& term, const PixelTile& pixels) const;

  const ConvShape shape;
  const Tiling tiling;
  const std::vector<AxisTap> row_taps, column_taps;
  const std::optional<AluTap> alu_tap;       // nullopt: GEMM multiplies all taps
  const int64_t pitch;                       // largest tile's elements of ACC per output block
  const int64_t result_pitch;                // the same of its results, if there is a pool
  const uint32_t inp_slot_depth;             // elements of INP that are for slots
  const int64_t inp_block_elems;             // elements of an input block in a slot
  std::vector<std::vector<ConvTerm>> terms;  // by BlockTile::index
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_CONV_PLAN_H_
