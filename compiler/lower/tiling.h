// SPDX-License-Identifier: Apache-2.0
//
// Tiling: sizes of a convolution's tiles and chunks, and the search for them.
//
// An output tile is th x tw pixels of tco blocks in one half of ACC. It is a sum of terms; a term
// is the product of an input chunk (tci blocks, the rows and columns that tkh x tkw taps read) and
// a weight chunk (tco x tci x tkh x tkw elements). INP and WGT are rings of slots of one chunk
// each; a chunk that is not resident is loaded when its term comes. Two slots are double buffering;
// with as many slots as distinct chunks until the first recurs, chunks stay resident. Both rings
// together have at most as many slots as a token queue has entries.
#ifndef VTA_COMPILER_LOWER_TILING_H_
#define VTA_COMPILER_LOWER_TILING_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "compiler/lower/conv_shape.h"
#include "configs/core_config.h"

namespace vta::lower {

// Minimum depth of token queues: tokens in flight between two stages of any stream, for two slots
// of each ring or two halves of ACC.
inline constexpr uint32_t kMinTokens = 4;

struct Tiling {
  int64_t th = 1, tw = 1, tco = 1, tci = 1;  // pixels, pixels, blocks, blocks
  int64_t tkh = 1, tkw = 1;                  // taps of axis_taps(): all of an axis, or 1
  bool channels_outer = false;               // loop order of tiles: output channels outside pixels
  int64_t inp_slots = 1, wgt_slots = 1;
};

// "14 x 28 x 4 x 2" (th x tw x tco x tci), followed by the taps per term and the loop order if they
// are not the defaults.
std::string to_string(const Tiling& tiling, const ConvShape& shape);

// Elements of a slot.
int64_t inp_slot_elems(const ConvShape& shape, const Tiling& tiling);
int64_t wgt_slot_elems(const ConvShape& shape, const Tiling& tiling);

// Elements of an input block in a slot.
int64_t inp_block_elems(const ConvShape& shape, const Tiling& tiling);

// Input of the search.
struct TilingProblem {
  ConvShape shape;
  bool has_residual = false;         // a residual operand takes as much of ACC as the tile
  bool has_shifts = false;           // shifts take as much of ACC as the bias
  bool split = false;                // GEMM and ALU overlap
  double alu_cycles_per_vector = 1;  // sum of all passes, per output element
};

// The legal tiling of the least estimated cost. The cost is the maximum of the GEMM, ALU, load and
// store times, plus the exposed prologue and epilogue, plus 1/4 cycle per 64-bit beat of DRAM
// traffic, which prefers less traffic among tilings of equal time. Deterministic. A tiling exists
// for every shape on a core that partition() accepts (one pixel, one block, one tap). `first_uop`:
// the first element of UOP that GEMM kernels may use.
Tiling find_tiling(const TilingProblem& problem, const CoreConfig& core, uint32_t first_uop);

// Tilings found so far: layers of one shape recur in a network and are searched for once.
class TilingCache {
 public:
  struct Key {
    ConvShape shape;
    bool has_residual, has_shifts;
    size_t num_passes;  // of the ALU, excluding a residual add

    auto operator<=>(const Key&) const = default;
  };

  template <typename Search>
  const Tiling& find(const Key& key, Search&& search) {
    const auto found = tilings_.find(key);
    return found != tilings_.end() ? found->second : tilings_.emplace(key, search()).first->second;
  }

 private:
  std::map<Key, Tiling> tilings_;
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_TILING_H_
