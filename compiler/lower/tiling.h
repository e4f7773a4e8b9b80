// SPDX-License-Identifier: Apache-2.0
//
// Tiling: sizes of a convolution's tiles and chunks (tiling_search.h finds them).
//
// An output tile is th x tw pixels of tco blocks in one half of ACC. It is a sum of terms. A term
// is the product of an input chunk (tci blocks, the rows and columns that tkh x tkw taps read) and
// a weight chunk (tco x tci x tkh x tkw elements). INP and WGT are rings of slots of one chunk
// each; a chunk that is not resident is loaded when its term comes. Two slots are double buffering;
// with as many slots as distinct chunks until the first recurs, chunks stay resident. Both rings
// together have at most as many slots as a token queue has entries.
#ifndef VTA_COMPILER_LOWER_TILING_H_
#define VTA_COMPILER_LOWER_TILING_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "compiler/lower/border.h"
#include "compiler/lower/conv_shape.h"

namespace vta::lower {

// Minimum depth of token queues: tokens in flight between two stages of any stream, for two slots
// of each ring or two halves of ACC.
inline constexpr uint32_t kMinTokens = 4;

// What a tiling depends on; input of the search.
struct TilingProblem {
  ConvShape shape;
  bool has_residual = false;           // a residual operand takes as much of ACC as the tile
  bool has_copy = false;               // so does the copy of a leaky relu
  bool may_multiply_residual = false;  // it may reach ACC through GEMM
  bool may_take_tap = false;           // the ALU may multiply a tap (alu_tap.h)
  double residual_shift_cycles = 0;    // of the ALU for its shift, which GEMM does, too
  int64_t channel_elems = 1;           // of ACC per output block: bias, shifts or factors, ...
  Border border;                       // whose corrections are among these
  bool has_addend = false;             // of a scaled residual add, an element of ACC
  bool split = false;                  // GEMM and ALU overlap
  int64_t gemm_distance = 1;           // in micro-ops (gemm_distance.h)
  bool overlaps = false;               // with other layers of its stream
  double alu_cycles_per_vector = 1;    // sum of all passes, per output element
  double alu_passes = 1;
  int64_t max_last_parts = 1;  // of the last tile, each of whole blocks, stored one by one
};

// An estimate (tiling_cost.h). All but the longest of the four stages' times are hidden.
struct TilingCost {
  double gemm_cycles = 0, alu_cycles = 0, load_cycles = 0, store_cycles = 0;
  double exposed_cycles = 0;  // prologue and epilogue
  double dram_bytes = 0;      // loads and stores
  double total_cycles = 0;    // what the search minimizes
};

struct Tiling {
  int64_t th = 1, tw = 1, tco = 1, tci = 1;  // pixels, pixels, blocks, blocks
  int64_t tkh = 1, tkw = 1;                  // taps of axis_taps(): all of an axis, or 1
  bool channels_outer = false;               // loop order of tiles: output channels outside pixels
  bool residual_in_gemm = false;             // the residual operand (residual_gemms.h)
  bool tap_in_alu = false;                   // alu_tap.h
  int64_t inp_slots = 1, wgt_slots = 1;
  TilingCost cost;

  // Whether the instructions are the same; costs are not compared.
  bool same_choices(const Tiling& other) const;
};

// Elements of ACC per output block for constants of channels, with the weights of the ALU's tap.
inline int64_t channel_elems(const TilingProblem& problem, const Tiling& tiling) {
  return problem.channel_elems + (tiling.tap_in_alu ? 1 : 0);
}

// The same without the corrections that GEMM computes: those that are loaded.
inline int64_t loaded_elems(const TilingProblem& problem, const Tiling& tiling) {
  return channel_elems(problem, tiling) - problem.border.num_in_gemm();
}

// Calls visit(name, choice) for each choice of a tiling: an int64_t of at least 1, or a bool. The
// only list of them; logs, keys and comparisons are derived from it. The slots are last.
template <typename T, typename Visit>
constexpr void for_each_choice(T& tiling, Visit&& visit) {
  visit("th", tiling.th);
  visit("tw", tiling.tw);
  visit("tco", tiling.tco);
  visit("tci", tiling.tci);
  visit("tkh", tiling.tkh);
  visit("tkw", tiling.tkw);
  visit("channels_outer", tiling.channels_outer);
  visit("residual_in_gemm", tiling.residual_in_gemm);
  visit("tap_in_alu", tiling.tap_in_alu);
  visit("inp_slots", tiling.inp_slots);
  visit("wgt_slots", tiling.wgt_slots);
}

inline constexpr size_t kNumTilingChoices = [] {
  size_t count = 0;
  const Tiling tiling;
  for_each_choice(tiling, [&](const char*, auto) { ++count; });
  return count;
}();

// What a tiling chooses, as a key; 0 and 1 for a bool.
using TilingChoices = std::array<int64_t, kNumTilingChoices>;

constexpr TilingChoices choices_of(const Tiling& tiling) {
  TilingChoices choices{};
  size_t i = 0;
  for_each_choice(tiling, [&](const char*, auto choice) { choices[i++] = choice; });
  return choices;
}

// The tiling of some choices, without cost.
constexpr Tiling tiling_of(const TilingChoices& choices) {
  Tiling tiling;
  size_t i = 0;
  for_each_choice(tiling, [&]<typename Choice>(const char*, Choice& choice) {
    choice = static_cast<Choice>(choices[i++]);
  });
  return tiling;
}

// What is decided about a convolution before its instructions are emitted.
struct ConvSchedule {
  TilingProblem problem;
  Tiling tiling;
};

inline bool Tiling::same_choices(const Tiling& other) const {
  return choices_of(*this) == choices_of(other);
}

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_TILING_H_
