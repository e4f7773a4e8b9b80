// SPDX-License-Identifier: Apache-2.0
#include "sim/tune/network_pass.h"

#include <algorithm>
#include <utility>

namespace vta::sim {
namespace {

constexpr size_t kMaxRounds = 4;

// Of a pair, the fastest tilings that are tried on the whole network.
constexpr size_t kMaxTriedOfPair = 2;

}  // namespace

NetworkPass::NetworkPass(NetworkState& state, const std::vector<std::vector<Move>>& candidates,
                         const std::string& network, JudgePool& pool, TrialLog& log,
                         std::function<void(const TuneProgress&)> on_progress)
    : state_(state),
      candidates_(candidates),
      pool_(pool),
      log_(log),
      trials_(state, network, pool, log),
      on_progress_(std::move(on_progress)),
      pairs_(state.pairs()),
      changed_at_(state.tasks().size(), 0) {
  for (size_t task = 0; task < changed_at_.size(); ++task) near_.push_back({task});
  for (const NetworkState::Pair& pair : pairs_) {
    near_[pair.first].push_back(pair.second);
    near_[pair.second].push_back(pair.first);
  }
}

NetworkPassResult NetworkPass::run() {
  result_.cycles_before = state_.cycles();
  bool is_faster = true;
  for (size_t round = 1; is_faster && round <= kMaxRounds; ++round) {
    begin_round(round);
    is_faster = false;
    for (size_t task = 0; task < near_.size(); ++task) {
      if (is_due({task})) is_faster |= try_task(task);
    }
    for (const NetworkState::Pair& pair : pairs_) {
      if (is_due({pair.first, pair.second})) is_faster |= try_pair(pair);
    }
    end_round();
  }
  result_.cycles_after = state_.cycles();
  return std::move(result_);
}

void NetworkPass::begin_round(size_t round) {
  progress_ = {};
  progress_.what = TuneProgress::What::kPass;
  progress_.number = round;
  progress_.count = kMaxRounds;
  progress_.macs = state_.macs({});
  progress_.cycles = progress_.best_cycles = state_.cycles();
  for (size_t task = 0; task < near_.size(); ++task) {
    if (is_due({task})) progress_.trials += others(task).size();
  }
  for (const NetworkState::Pair& pair : pairs_) {
    if (is_due({pair.first, pair.second}))
      progress_.trials += others(pair.first).size() * others(pair.second).size();
  }
  stopwatch_ = Stopwatch();
}

void NetworkPass::end_round() {
  progress_.seconds = stopwatch_.seconds();
  progress_.trials = progress_.trial;
  progress_.is_done = true;
  if (on_progress_) on_progress_(progress_);
}

// Whether the tasks have not been tried since they or their neighbours have changed.
bool NetworkPass::is_due(const std::vector<size_t>& tasks) const {
  const auto tried = tried_at_.find(tasks);
  if (tried == tried_at_.end()) return true;
  return std::ranges::any_of(tasks, [&](size_t task) {
    return std::ranges::any_of(near_[task],
                               [&](size_t near) { return changed_at_[near] > tried->second; });
  });
}

std::vector<Move> NetworkPass::others(size_t task) const {
  std::vector<Move> others;
  for (const Move& move : candidates_[task]) {
    if (!move.tiling.same_choices(state_.tiling(task))) others.push_back(move);
  }
  return others;
}

Move NetworkPass::kept(size_t task) const {
  return *std::ranges::find_if(candidates_[task], [&](const Move& move) {
    return move.tiling.same_choices(state_.tiling(task));
  });
}

void NetworkPass::count(bool is_from_log) {
  ++(is_from_log ? result_.from_log : result_.measured);
  ++progress_.trial;
  progress_.trials = std::max(progress_.trials, progress_.trial);
  progress_.seconds = stopwatch_.seconds();
  if (on_progress_) on_progress_(progress_);
}

bool NetworkPass::try_task(size_t task) {
  set_tried({task});
  const std::string neighbours = state_.neighbours(state_.tasks()[task].window, {task});
  std::vector<Measured> tries;
  for (const Move& move : others(task))
    tries.push_back({{move}, trial_of({move}, state_, neighbours), 0});
  return keep_best(std::move(tries));
}

bool NetworkPass::try_pair(const NetworkState::Pair& pair) {
  set_tried({pair.first, pair.second});
  return keep_best(fastest_together(pair));
}

// Of the pair's candidates, both of which change, those that are faster between their neighbours.
std::vector<NetworkPass::Measured> NetworkPass::fastest_together(const NetworkState::Pair& pair) {
  std::vector<Measured> measured;
  const std::string neighbours = state_.neighbours(pair.window, {pair.first, pair.second});
  const auto add = [&](const Move& first, const Move& second) {
    const std::vector<Move> moves = {first, second};
    measured.push_back({moves, trial_of(moves, state_, neighbours), 0});
  };
  const std::vector<Move> firsts = others(pair.first), seconds = others(pair.second);
  if (firsts.empty() || seconds.empty()) return {};
  add(kept(pair.first), kept(pair.second));
  for (const Move& first : firsts) {
    for (const Move& second : seconds) add(first, second);
  }
  std::vector<std::optional<JudgePool::Measurement>> measurements;
  for (const Measured& m : measured) {
    const bool is_logged = log_.find(m.trial) != nullptr;
    measurements.emplace_back();
    if (!is_logged) measurements.back() = pool_.measure(state_.book_with(m.moves), pair.window);
  }
  for (size_t i = 0; i < measured.size(); ++i) {
    Trial& trial = measured[i].trial;
    if (measurements[i]) {
      trial.together->cycles = measurements[i]->cycles();
      log_.append(trial);
    } else {
      trial.together->cycles = log_.find(trial)->together->cycles;
    }
    measured[i].cycles = trial.together->cycles;
    count(!measurements[i]);
  }
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t i = 1; i < measured.size(); ++i) {
    if (measured[i].cycles < measured[0].cycles) order.emplace_back(measured[i].cycles, i);
  }
  std::ranges::sort(order);
  order.resize(std::min(kMaxTriedOfPair, order.size()));
  std::vector<Measured> fastest;
  for (const auto& [cycles, i] : order) fastest.push_back(measured[i]);
  return fastest;
}

// Of the tries, the one with which the network is the fastest, if it is faster than now.
bool NetworkPass::keep_best(std::vector<Measured> tries) {
  std::vector<NetworkTrials::Request> requests;
  for (const Measured& m : tries) requests.push_back(trials_.request(m.moves, m.trial));
  const Measured* best = nullptr;
  for (size_t i = 0; i < tries.size(); ++i) {
    tries[i].cycles = progress_.cycles = trials_.finish(requests[i]);
    progress_.best_cycles = std::min(progress_.best_cycles, progress_.cycles);
    count(requests[i].is_from_log);
    if (best == nullptr || tries[i].cycles < best->cycles) best = &tries[i];
  }
  if (best == nullptr || best->cycles >= state_.cycles()) return false;
  keep(*best);
  return true;
}

void NetworkPass::keep(const Measured& best) {
  NetworkPassResult::Kept kept;
  kept.saved_cycles = state_.cycles() - best.cycles;
  state_.keep(best.moves, best.cycles);
  for (const Move& move : best.moves) {
    kept.layers.push_back(state_.plans()[state_.tasks()[move.task].layers[0]].layer);
    kept.tilings.push_back(state_.tiling_text(move.task));
    changed_at_[move.task] = result_.kept.size() + 1;
  }
  result_.kept.push_back(std::move(kept));
}

}  // namespace vta::sim
