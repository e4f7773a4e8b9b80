// SPDX-License-Identifier: Apache-2.0
//
// TilingSpace: the tilings of a layer that fit the core.
#ifndef VTA_COMPILER_LOWER_TILING_SPACE_H_
#define VTA_COMPILER_LOWER_TILING_SPACE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lower/axis_cuts.h"
#include "compiler/lower/border.h"
#include "compiler/lower/conv_terms.h"
#include "compiler/lower/tiling.h"
#include "configs/core_config.h"

namespace vta::lower {

// What follows from the pixels of a tile and the taps of a term, for tiles of any blocks.
struct PixelCut {
  int64_t th = 1, tw = 1, tkh = 1, tkw = 1;
  int64_t num_tiles = 0;                    // of all image groups
  int64_t num_taps = 0;                     // of the kernel
  int64_t tap_groups = 0;                   // of a tile
  int64_t inp_block_elems = 0;              // of an input block in a slot
  int64_t plane_elems = 0, plane_rows = 0;  // loaded per input block and round
  // All tiles of an image group, per pair of blocks and per term: the ways to leave out padding.
  std::vector<TapCounts> gemm_counts;
  Border::Counts border_counts;  // of all tiles of an image group's block
};

// A legal tiling and the numbers that its cost depends on.
struct TilingCandidate {
  Tiling tiling;  // without its cost
  const PixelCut& pixels;
  const BlockCut& blocks;
  int64_t inp_elems, wgt_elems;  // of a slot
  int64_t terms = 0;             // of a tile
  int64_t inp_planes = 0;        // input blocks loaded for all tiles of blocks, in all rounds
  int64_t wgt_rounds = 0;        // loads of each chunk of weights
};

class TilingSpace {
 public:
  // Both outlive the space.
  TilingSpace(const TilingProblem& problem, const CoreConfig& core);

  // Visits all legal tilings with the fewest slots; none if a window of the pool does not fit.
  using Visit = std::function<void(const TilingCandidate&)>;
  void for_each(const Visit& visit) const;

  // The tiling, and the same with more slots, so that loads start earlier: with a few numbers of
  // slots, or with all that can help.
  std::vector<Tiling> with_more_slots(const Tiling& tiling) const;
  std::vector<Tiling> with_all_slots(const Tiling& tiling) const;

  std::optional<std::string> why_illegal(const Tiling& tiling) const;

 private:
  struct Slots {
    int64_t inp = 0, wgt = 0;
  };
  struct Blocks {
    int64_t tco, tci;
    BlockCut cut;
  };
  // What tilings must have, unless none has it.
  struct Demands {
    bool two_slots, distance;
  };
  // A size that does not fit the core.
  struct Misfit {
    const char* what;
    int64_t need, limit;
  };
  using Taps = std::pair<int64_t, int64_t>;  // tkh, tkw

  std::vector<Taps> tap_cuts() const;
  std::vector<Blocks> block_cuts() const;
  PixelCut pixel_cut(const AxisCut& rows, const AxisCut& columns, const Taps& taps) const;
  // Each returns whether there is a tiling.
  bool visit_taps(const Taps& taps, const Demands& demands, const Visit& visit) const;
  bool visit_blocks(const PixelCut& pixels, const Blocks& blocks, const Demands& demands,
                    const Visit& visit) const;
  bool visit_rings(TilingCandidate candidate, const Demands& demands, const Visit& visit) const;

  std::optional<std::string> illegal_size(const Tiling& tiling) const;
  std::optional<Misfit> misfit(const Tiling& tiling, int64_t wgt_elems) const;
  bool may_take_tap(const Tiling& tiling) const;
  bool keeps_distance(const Tiling& tiling) const;
  Slots max_slots(const Tiling& tiling, int64_t inp_elems, int64_t wgt_elems,
                  int64_t wgt_chunks) const;
  Slots max_slots(const Tiling& tiling) const;

  const TilingProblem& problem_;
  const ConvShape& shape_;
  const CoreConfig& core_;
  const AxisCuts rows_, columns_;
  const int64_t pool_uops_a_block_;
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_TILING_SPACE_H_
