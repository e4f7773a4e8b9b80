// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/tiling_search.h"

#include <algorithm>
#include <limits>
#include <optional>
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

// The tilings with the least rough costs, in ascending order; equal ones in that of the visit.
class Ranking {
 public:
  explicit Ranking(size_t most) : most_(most) {}

  // A cost equal to the limit ranks after those that are kept.
  void add(const Tiling& tiling) {
    ++num_added_;
    if (tiling.cost.total_cycles >= limit_) return;
    kept_.push_back({tiling, num_added_});
    if (kept_.size() / 2 >= most_) drop();
  }
  int64_t num_added() const { return num_added_; }
  std::vector<Tiling> take() {
    std::ranges::sort(kept_, {}, key);
    kept_.resize(std::min(kept_.size(), most_));
    std::vector<Tiling> ranked;
    for (const Entry& entry : kept_) ranked.push_back(entry.tiling);
    return ranked;
  }

 private:
  struct Entry {
    Tiling tiling;
    int64_t index;
  };
  static std::pair<double, int64_t> key(const Entry& entry) {
    return {entry.tiling.cost.total_cycles, entry.index};
  }

  void drop() {
    const auto last = kept_.begin() + static_cast<std::ptrdiff_t>(most_ - 1);
    std::ranges::nth_element(kept_, last, {}, key);
    limit_ = last->tiling.cost.total_cycles;
    kept_.resize(most_);
  }

  const size_t most_;
  double limit_ = kNoLimit;
  int64_t num_added_ = 0;
  std::vector<Entry> kept_;
};

// The `most` legal tilings with the least rough costs, and the number of all.
std::pair<std::vector<Tiling>, int64_t> ranked_tilings(const TilingProblem& problem,
                                                       const CoreConfig& core, size_t most) {
  Ranking ranking(most);
  TilingSpace(problem, core).for_each([&](const TilingCandidate& candidate) {
    Tiling tiling = candidate.tiling;
    tiling.cost = rough_cost(problem, core, candidate);
    ranking.add(tiling);
  });
  return {ranking.take(), ranking.num_added()};
}

// Chooses, of the tilings with the least rough costs, the one with the shortest timeline.
class Search {
 public:
  Search(const TilingProblem& problem, const CoreConfig& core)
      : problem_(problem), core_(core), space_(problem, core) {}

  // `candidates`: at least one tiling, in ascending order of rough cost.
  FoundTiling choose(const std::vector<Tiling>& candidates, int64_t num_legal) {
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
    return {*best_, next_, num_legal};
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
  const auto [candidates, num_legal] = ranked_tilings(problem, core, kNumTimelines);
  if (candidates.empty()) return std::nullopt;
  return Search(problem, core).choose(candidates, num_legal);
}

std::vector<Tiling> legal_tilings(const TilingProblem& problem, const CoreConfig& core) {
  return ranked_tilings(problem, core, std::numeric_limits<size_t>::max()).first;
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
