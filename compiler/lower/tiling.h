// SPDX-License-Identifier: Apache-2.0
//
// Tiling: how a convolution is cut so that its pieces fit the scratchpads.
//
// An output tile is th x tw pixels of tco blocks; it lives in one half of ACC. Its sum is taken in
// terms; each term uses a chunk of the input (tci blocks, as many rows and columns as tkh x tkw
// taps of the kernel reach) and a chunk of the weights (tco x tci x tkh x tkw elements). INP and
// WGT are rings of slots of one chunk each: a chunk is loaded when its term comes and it is not
// resident. Two slots are double buffering; as many slots as chunks recur are residency. Both rings
// together have no more slots than a token queue of the core holds tokens (kMinTokens).
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

// Tokens that every stream may have under way between two stages: two slots of each ring, or two
// halves of ACC.
inline constexpr uint32_t kMinTokens = 4;

struct Tiling {
  int64_t th = 1, tw = 1, tco = 1, tci = 1;  // pixels, pixels, blocks, blocks
  int64_t tkh = 1, tkw = 1;                  // taps of axis_taps(): all of an axis, or 1
  bool channels_outer = false;  // order of tiles: output channels outside pixels, or inside
  int64_t inp_slots = 1, wgt_slots = 1;
};

// "14 x 28 x 4 x 2" (th x tw x tco x tci); a split kernel and the order follow where they are not
// the usual.
std::string to_string(const Tiling& tiling, const ConvShape& shape);

// Elements of one slot.
int64_t inp_slot_elems(const ConvShape& shape, const Tiling& tiling);
int64_t wgt_slot_elems(const ConvShape& shape, const Tiling& tiling);

// Elements of one input block in a slot.
int64_t inp_block_elems(const ConvShape& shape, const Tiling& tiling);

// What the search needs to know besides the shape.
struct TilingProblem {
  ConvShape shape;
  bool has_residual = false;         // a residual operand occupies as much of ACC as the tile
  bool has_shifts = false;           // shifts occupy as much of ACC as the bias
  bool split = false;                // GEMM and ALU overlap
  double alu_cycles_per_vector = 1;  // all passes, over one output element
};

// The legal tiling with the least estimated cost: cycles, and DRAM bytes at a quarter of a 64-bit
// beat's cycle each, so that of tilings that compute equally fast the one that moves less wins.
// Deterministic. One exists for every shape on a core that partition() accepts: one pixel, one
// block, one tap. `first_uop`: elements of the UOP scratchpad that GEMM kernels may not use.
Tiling find_tiling(const TilingProblem& problem, const CoreConfig& core, uint32_t first_uop);

// Tilings found so far: layers of one shape recur in a network and are searched for once.
class TilingCache {
 public:
  struct Key {
    ConvShape shape;
    bool has_residual, has_shifts;
    size_t num_passes;  // of the ALU, without those of a residual add

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
