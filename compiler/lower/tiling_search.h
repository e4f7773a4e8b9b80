// SPDX-License-Identifier: Apache-2.0
//
// The search for a convolution's tiling, and the sizes that follow from a tiling.
#ifndef VTA_COMPILER_LOWER_TILING_SEARCH_H_
#define VTA_COMPILER_LOWER_TILING_SEARCH_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/tiling.h"
#include "compiler/lower/tiling_report.h"
#include "configs/core_config.h"

namespace vta::lower {

// "14 x 28 x 4 x 2" (th x tw x tco x tci), followed by the taps per term and the loop order if they
// are not the defaults.
std::string to_string(const Tiling& tiling, const ConvShape& shape);

// Of a GEMM instruction where tilings are ranked without their timelines: not the measured
// kGemmOverheadCycles but chosen, as the costs in tiling_search.cc, so that the networks of
// configs/networks take the least time.
inline constexpr int64_t kRankedGemmOverheadCycles = 12;

// Elements of a slot.
int64_t inp_slot_elems(const ConvShape& shape, const Tiling& tiling);
int64_t wgt_slot_elems(const ConvShape& shape, const Tiling& tiling);

// Elements of ACC for the outputs of an output block in the largest tile; with a pool, these are
// all positions that its windows cover.
int64_t acc_block_elems(const ConvShape& shape, const Tiling& tiling);

// Elements of an input block in a slot.
int64_t inp_block_elems(const ConvShape& shape, const Tiling& tiling);

// Elements at the end of INP and WGT that are not for slots, but for the residual operands of two
// tiles and for their weights if they are multiplied.
int64_t residual_inp_elems(const Tiling& tiling);
int64_t residual_wgt_elems(const Tiling& tiling);
// Elements at the end of INP that are not for slots: these, after one of padding if GEMM computes
// the corrections of the border.
int64_t reserved_inp_elems(const Border& border, const Tiling& tiling);

struct FoundTiling {
  Tiling tiling;
  std::optional<Tiling> next;  // the best one of another tile size; nullopt: there is none
  int64_t num_legal = 0;       // tilings and loop orders that were compared
};

// The legal tiling of the least estimated cost. The cost is the maximum of the GEMM, ALU, load and
// store times, plus the exposed prologue and epilogue, plus half a cycle per 64-bit beat of DRAM
// traffic, which prefers less traffic among tilings of equal time. Deterministic. A tiling exists
// for every shape without a pool on a core that partition() accepts (one pixel, one block, one
// tap); nullopt: a window of the pool does not fit.
std::optional<FoundTiling> find_tiling(const TilingProblem& problem, const CoreConfig& core);

// All legal tilings with the fewest slots, in ascending order of rough cost: the space that
// find_tiling() searches, and that a tuner searches by measuring. Deterministic.
std::vector<Tiling> legal_tilings(const TilingProblem& problem, const CoreConfig& core);

// The tiling with every number of slots that fits the core and can help, itself first.
std::vector<Tiling> with_all_slots(const TilingProblem& problem, const Tiling& tiling,
                                   const CoreConfig& core);

// Why the tiling is not one of the space: the size, its value and the limit. nullopt: it is legal.
std::optional<std::string> why_illegal(const TilingProblem& problem, const Tiling& tiling,
                                       const CoreConfig& core);

// The cost that find_tiling() would give a legal tiling.
TilingCost estimate(const TilingProblem& problem, const Tiling& tiling, const CoreConfig& core);

TilingReport report_of(const FoundTiling& found, const ConvShape& shape);

// Tilings found so far: layers of one shape recur in a network and are searched for once. Several
// threads may share it.
class TilingCache {
 public:
  struct Key {
    ConvShape shape;
    bool has_residual, has_copy;
    int64_t channel_elems;
    bool has_addend;
    int64_t shift_tile, shift_residual;  // of the residual add
    size_t num_passes;                   // of the ALU, excluding the residual add
    int64_t max_last_parts;

    auto operator<=>(const Key&) const = default;
  };

  template <typename Search>
  const std::optional<FoundTiling>& find(const Key& key, Search&& search) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = tilings_.find(key); found != tilings_.end()) return found->second;
    }
    const std::optional<FoundTiling> tiling = search();
    const std::lock_guard lock(mutex_);
    return tilings_.emplace(key, tiling).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::optional<FoundTiling>> tilings_;  // their addresses do not change
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_TILING_SEARCH_H_
