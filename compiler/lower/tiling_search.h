// SPDX-License-Identifier: Apache-2.0
//
// The search for a convolution's tiling.
#ifndef VTA_COMPILER_LOWER_TILING_SEARCH_H_
#define VTA_COMPILER_LOWER_TILING_SEARCH_H_

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

struct FoundTiling {
  Tiling tiling;
  std::optional<Tiling> next;  // the best one of another tile size; nullopt: there is none
  int64_t num_legal = 0;       // tilings and loop orders that were compared
};

// The legal tiling of the least estimated cost (tiling_cost.h). Deterministic. A tiling exists for
// every shape without a pool on a core that partition() accepts (one pixel, one block, one tap);
// nullopt: a window of the pool does not fit.
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

// Tilings found so far, by the text of the problem (task_text()): layers of one problem recur in a
// network and are searched for once. Several threads may share it.
class TilingCache {
 public:
  template <typename Search>
  const std::optional<FoundTiling>& find(const std::string& problem, Search&& search) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = tilings_.find(problem); found != tilings_.end()) return found->second;
    }
    const std::optional<FoundTiling> tiling = search();
    const std::lock_guard lock(mutex_);
    return tilings_.emplace(problem, tiling).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::optional<FoundTiling>> tilings_;  // their addresses do not change
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_TILING_SEARCH_H_
