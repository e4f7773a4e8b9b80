// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/tuner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/errors/error.h"
#include "base/numbers/random.h"
#include "compiler/lower/tiling_search.h"
#include "sim/analysis/tune/tiling_model.h"

namespace vta::sim {
namespace {

using lower::Tiling;
using lower::TilingProblem;

using Choices = lower::TilingChoices;

// The space, and what of it has been proposed.
class Space {
 public:
  Space(const TilingProblem& problem, const CoreConfig& core, const Tiling& first)
      : problem_(problem), core_(core), tiles_(lower::legal_tilings(problem, core)) {
    seen_.insert(choices_of(first));
  }

  const std::vector<Tiling>& tiles() const { return tiles_; }  // by rough cost
  std::vector<Tiling> with_all_slots(const Tiling& tile) const {
    return lower::with_all_slots(problem_, tile, core_);
  }
  lower::TilingCost estimate(const Tiling& tiling) const {
    return lower::estimate(problem_, tiling, core_);
  }
  bool is_legal(const Tiling& tiling) const {
    return !lower::why_illegal(problem_, tiling, core_).has_value();
  }
  // Whether the tiling is new; it is not any more.
  bool take(const Tiling& tiling) { return seen_.insert(choices_of(tiling)).second; }
  bool is_new(const Tiling& tiling) const { return !seen_.contains(choices_of(tiling)); }

 private:
  const TilingProblem problem_;
  const CoreConfig core_;
  const std::vector<Tiling> tiles_;
  std::set<Choices> seen_;
};

class ExhaustiveTuner final : public Tuner {
 public:
  explicit ExhaustiveTuner(Space space) : space_(std::move(space)) {}

  std::optional<Tiling> propose() override {
    for (;;) {
      if (next_ < slots_.size()) {
        if (space_.take(slots_[next_++])) return slots_[next_ - 1];
      } else if (tile_ < space_.tiles().size()) {
        slots_ = space_.with_all_slots(space_.tiles()[tile_++]);
        next_ = 0;
      } else {
        return std::nullopt;
      }
    }
  }
  void tell(const Tiling&, uint64_t) override {}

 private:
  Space space_;
  size_t tile_ = 0, next_ = 0;
  std::vector<Tiling> slots_;  // of the current tile
};

class RandomTuner final : public Tuner {
 public:
  RandomTuner(Space space, uint64_t seed) : space_(std::move(space)), random_(seed) {}

  std::optional<Tiling> propose() override {
    constexpr int kTries = 200;
    for (int i = 0; i < kTries && !space_.tiles().empty(); ++i) {
      const auto slots = space_.with_all_slots(pick(space_.tiles()));
      const Tiling& tiling = pick(slots);
      if (space_.take(tiling)) return tiling;
    }
    return std::nullopt;
  }
  void tell(const Tiling&, uint64_t) override {}

 private:
  const Tiling& pick(const std::vector<Tiling>& all) {
    return all[static_cast<size_t>(random_.between(0, static_cast<int64_t>(all.size()) - 1))];
  }

  Space space_;
  Random random_;
};

class GeneticTuner : public Tuner {
 public:
  GeneticTuner(const Space& space, uint64_t seed)
      : space_(space), random_space_(space, seed + 1), random_(seed) {
    list_first();
    for (const Tiling& tile : space_.tiles()) {
      const Choices choices = choices_of(tile);
      for (size_t i = 0; i < choices.size(); ++i) values_[i].insert(choices[i]);
    }
  }

  std::optional<Tiling> propose() override {
    while (next_ < first_.size()) {
      const Tiling& tiling = first_[next_++];
      if (space_.take(tiling)) return tiling;
    }
    constexpr int kTries = 100;
    for (int i = 0; i < kTries && !measured_.empty(); ++i) {
      const Tiling child = draw_child();
      if (space_.is_legal(child) && space_.take(child)) return child;
    }
    while (auto tiling = random_space_.propose()) {
      if (space_.take(*tiling)) return tiling;
    }
    return std::nullopt;
  }

  void tell(const Tiling& tiling, uint64_t cycles) override {
    const std::pair entry(cycles, choices_of(tiling));
    measured_.insert(std::ranges::upper_bound(measured_, entry), entry);
    if (measured_.size() > kParents) measured_.pop_back();
  }

 protected:
  Space& space() { return space_; }
  bool has_first() const { return next_ < first_.size(); }

  // Half of the children have two parents; each has a mutation. It may be illegal or not new.
  // There must be a parent.
  Tiling draw_child() {
    Choices child = draw_parent();
    if (random_.chance(50)) {
      const Choices other = draw_parent();
      for (size_t i = 0; i < child.size(); ++i) {
        if (random_.chance(50)) child[i] = other[i];
      }
    }
    if (random_.chance(50)) return with_other_slots(child);
    const auto field = static_cast<size_t>(random_.between(0, kLastTileChoice));
    child[field] = pick(std::vector<int64_t>(values_[field].begin(), values_[field].end()));
    return random_.chance(50) ? with_other_slots(child) : lower::tiling_of(child);
  }

 private:
  // The last choice before the slots.
  static constexpr int64_t kLastTileChoice = lower::kNumTilingChoices - 3;
  static constexpr size_t kFirstTiles = 24, kFirst = 16, kParents = 8;

  // Those of the least estimated cost, at most two of a tile.
  void list_first() {
    std::vector<std::pair<double, Tiling>> estimated;
    for (size_t i = 0; i < std::min(kFirstTiles, space_.tiles().size()); ++i) {
      std::vector<std::pair<double, Tiling>> of_tile;
      for (const Tiling& tiling : space_.with_all_slots(space_.tiles()[i]))
        of_tile.emplace_back(space_.estimate(tiling).total_cycles, tiling);
      sort_by_cost(of_tile);
      of_tile.resize(std::min<size_t>(of_tile.size(), 2));
      estimated.insert(estimated.end(), of_tile.begin(), of_tile.end());
    }
    sort_by_cost(estimated);
    for (const auto& [cost, tiling] : estimated) {
      if (first_.size() < kFirst) first_.push_back(tiling);
    }
  }
  static void sort_by_cost(std::vector<std::pair<double, Tiling>>& tilings) {
    std::ranges::sort(tilings, {},
                      [](const auto& t) { return std::pair(t.first, choices_of(t.second)); });
  }

  const Choices& draw_parent() {
    const auto most = static_cast<int64_t>(measured_.size()) - 1;
    return measured_[static_cast<size_t>(
                         std::min(random_.between(0, most), random_.between(0, most)))]
        .second;
  }
  Tiling with_other_slots(const Choices& choices) {
    Tiling tiling = lower::tiling_of(choices);
    tiling.inp_slots = tiling.wgt_slots = 1;
    return space_.is_legal(tiling) ? pick(space_.with_all_slots(tiling)) : tiling;
  }
  template <typename T>
  T pick(const std::vector<T>& all) {
    return all[static_cast<size_t>(random_.between(0, static_cast<int64_t>(all.size()) - 1))];
  }

  Space space_;
  RandomTuner random_space_;
  Random random_;
  std::vector<Tiling> first_;
  size_t next_ = 0;
  std::array<std::set<int64_t>, lower::kNumTilingChoices> values_;  // in the space
  std::vector<std::pair<uint64_t, Choices>> measured_;              // the best ones
};

// Draws children and proposes the one that a model of the measured tilings predicts to be the
// fastest.
class LearnedTuner final : public GeneticTuner {
 public:
  LearnedTuner(const Space& space, TilingModel model, uint64_t seed)
      : GeneticTuner(space, seed), model_(std::move(model)) {}

  std::optional<Tiling> propose() override {
    if (has_first() || model_.num_measured() < kMinMeasured || ++drawn_ % kExplored == 0)
      return GeneticTuner::propose();
    std::optional<std::pair<double, Tiling>> best;
    for (int i = 0; i < kCandidates; ++i) {
      const Tiling child = draw_child();
      if (!space().is_legal(child) || !space().is_new(child)) continue;
      const double predicted = model_.predict(child);
      if (!best || predicted < best->first) best.emplace(predicted, child);
    }
    if (!best) return GeneticTuner::propose();
    space().take(best->second);
    return best->second;
  }

  void tell(const Tiling& tiling, uint64_t cycles) override {
    GeneticTuner::tell(tiling, cycles);
    model_.add(tiling, cycles);
  }

 private:
  // One of kExplored proposals is a child that the model has not chosen.
  static constexpr uint64_t kExplored = 4;
  static constexpr size_t kMinMeasured = 8;
  static constexpr int kCandidates = 40;

  TilingModel model_;
  uint64_t drawn_ = 0;
};

struct NamedKind {
  const char* name;
  TunerKind kind;
};
constexpr NamedKind kKinds[] = {{"exhaustive", TunerKind::kExhaustive},
                                {"random", TunerKind::kRandom},
                                {"genetic", TunerKind::kGenetic},
                                {"learned", TunerKind::kLearned}};

}  // namespace

std::vector<std::string> tuner_names() {
  std::vector<std::string> names;
  for (const NamedKind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

TunerKind tuner_from_string(const std::string& name) {
  for (const NamedKind& kind : kKinds) {
    if (name == kind.name) return kind.kind;
  }
  fail(ErrorCode::kInvalidArgument, "tuner '{}' is not one of {}", name,
       fmt::join(tuner_names(), ", "));
}

std::unique_ptr<Tuner> make_tuner(TunerKind kind, const TilingProblem& problem,
                                  const CoreConfig& core, const Tiling& first, uint64_t seed) {
  Space space(problem, core, first);
  switch (kind) {
    case TunerKind::kExhaustive:
      return std::make_unique<ExhaustiveTuner>(std::move(space));
    case TunerKind::kRandom:
      return std::make_unique<RandomTuner>(std::move(space), seed);
    case TunerKind::kGenetic:
      return std::make_unique<GeneticTuner>(space, seed);
    case TunerKind::kLearned:
      return std::make_unique<LearnedTuner>(space, TilingModel(problem, core), seed);
  }
  VTA_ASSERT(false, "a tuner of every kind");
}

}  // namespace vta::sim
