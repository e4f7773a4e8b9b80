// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/tiling_search.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/lower/tiling_cost.h"
#include "compiler/lower/tiling_sizes.h"
#include "compiler/lower/tiling_space.h"

namespace vta::lower {
namespace {

// Tilings whose timelines are compared; the limit of the terms of all of them.
constexpr size_t kNumTimelines = 128;
constexpr int64_t kMaxTerms = 500'000;
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

bool has_same_tile(const Tiling& a, const Tiling& b) {
  const auto size = [](const Tiling& t) {
    return std::tuple(t.th, t.tw, t.tco, t.tci, t.tkh, t.tkw);
  };
  return size(a) == size(b);
}

// Chooses, of the tilings with the least rough costs, the one with the shortest timeline.
class Search {
 public:
  Search(const TilingProblem& problem, const CoreConfig& core)
      : problem_(problem), core_(core), space_(problem, core) {}

  // `ranked`: at least one tiling, in ascending order of rough cost.
  FoundTiling choose(const std::vector<Tiling>& ranked) {
    const std::span candidates(ranked.begin(), std::min(ranked.size(), kNumTimelines));
    int64_t terms = 0;
    for (const Tiling& candidate : candidates) {
      for (Tiling& tiling : space_.with_more_slots(candidate)) {
        if (best_ && terms > kMaxTerms) break;
        terms +=
            set_timeline_cost(problem_, core_, best_ ? best_->cost.total_cycles : kNoLimit, tiling);
        compare(tiling);
      }
    }
    // Timelines beyond the best one were not completed.
    const auto other = std::ranges::find_if(
        candidates, [&](const Tiling& tiling) { return !has_same_tile(tiling, *best_); });
    if (!next_ && other != candidates.end()) {
      next_ = *other;
      set_timeline_cost(problem_, core_, kNoLimit, *next_);
    }
    return {*best_, next_, static_cast<int64_t>(ranked.size())};
  }

 private:
  void compare(const Tiling& tiling) {
    const double cost = tiling.cost.total_cycles;
    if (!best_ || cost < best_->cost.total_cycles) {
      if (best_ && !has_same_tile(*best_, tiling)) next_ = best_;
      best_ = tiling;
    } else if (cost < kNoLimit && !has_same_tile(*best_, tiling) &&
               (!next_ || cost < next_->cost.total_cycles)) {
      next_ = tiling;
    }
  }

  const TilingProblem& problem_;
  const CoreConfig& core_;
  const TilingSpace space_;
  std::optional<Tiling> best_, next_;  // by timelines; next_: the best one of another tile size
};

}  // namespace

std::optional<FoundTiling> find_tiling(const TilingProblem& problem, const CoreConfig& core) {
  const std::vector<Tiling> ranked = legal_tilings(problem, core);
  if (ranked.empty()) return std::nullopt;
  return Search(problem, core).choose(ranked);
}

std::vector<Tiling> legal_tilings(const TilingProblem& problem, const CoreConfig& core) {
  std::vector<Tiling> found;
  TilingSpace(problem, core).for_each([&](const TilingCandidate& candidate) {
    found.push_back(candidate.tiling);
    found.back().cost = rough_cost(problem, core, candidate);
  });
  std::vector<size_t> order(found.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return std::pair(found[i].cost.total_cycles, i); });
  std::vector<Tiling> ranked;
  for (size_t i : order) ranked.push_back(found[i]);
  return ranked;
}

std::vector<Tiling> with_all_slots(const TilingProblem& problem, const Tiling& tiling,
                                   const CoreConfig& core) {
  return TilingSpace(problem, core).with_all_slots(tiling);
}

std::optional<std::string> why_illegal(const TilingProblem& problem, const Tiling& tiling,
                                       const CoreConfig& core) {
  return TilingSpace(problem, core).why_illegal(tiling);
}

TilingCost estimate(const TilingProblem& problem, const Tiling& tiling, const CoreConfig& core) {
  Tiling priced = tiling;
  set_timeline_cost(problem, core, kNoLimit, priced);
  return priced.cost;
}

TilingReport report_of(const FoundTiling& found, const ConvShape& shape) {
  const Tiling& tiling = found.tiling;
  TilingReport report;
  report.cost = tiling.cost;
  report.num_legal = found.num_legal;
  if (found.next) {
    report.next = to_string(*found.next, shape);
    report.next_cost = found.next->cost;
  }
  report.inp_slots = tiling.inp_slots;
  report.wgt_slots = tiling.wgt_slots;
  report.inp_elems = tiling.inp_slots * inp_slot_elems(shape, tiling);
  report.wgt_elems = tiling.wgt_slots * wgt_slot_elems(shape, tiling);
  report.acc_elems = acc_block_elems(shape, tiling) * tiling.tco;
  return report;
}

}  // namespace vta::lower
