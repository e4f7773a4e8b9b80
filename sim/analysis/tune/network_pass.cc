// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/network_pass.h"

#include <algorithm>
#include <utility>

namespace vta::sim {
namespace {

constexpr size_t kMaxRounds = 4;

// A pair's fastest tilings: so many are tried on the whole network.
constexpr size_t kMaxTriedOfPair = 2;

}  // namespace

NetworkPass::NetworkPass(NetworkState& state, const std::vector<std::vector<Move>>& candidates,
                         const std::string& network, JudgePool& pool, TrialLog& log,
                         std::function<void(const TuneProgress&)> on_progress)
    : state_(state),
      candidates_(candidates),
      trials_(state, network, pool, log),
      on_progress_(std::move(on_progress)),
      changed_at_(state.tasks().size(), 0) {
  list_items();
}

void NetworkPass::list_items() {
  for (size_t task = 0; task < state_.tasks().size(); ++task) {
    items_.push_back({{task}, state_.tasks()[task].window});
    near_.push_back({task});
  }
  for (const NetworkState::Pair& pair : state_.pairs()) {
    items_.push_back({{pair.first, pair.second}, pair.window});
    near_[pair.first].push_back(pair.second);
    near_[pair.second].push_back(pair.first);
  }
  tried_at_.resize(items_.size());
}

NetworkPassResult NetworkPass::run() {
  result_.cycles_before = state_.cycles();
  bool is_faster = true;
  for (size_t round = 1; is_faster && round <= kMaxRounds; ++round) {
    begin_round(round);
    is_faster = run_round();
    end_round();
  }
  result_.cycles_after = state_.cycles();
  return std::move(result_);
}

bool NetworkPass::run_round() {
  bool is_faster = false;
  std::optional<Launched> next;
  for (std::optional<size_t> item = next_due(0); item; item = next_due(*item + 1)) {
    const bool is_launched = next && next->item == *item && next->kept == result_.kept.size();
    Launched now = is_launched ? std::move(*next) : launch(*item);
    next.reset();
    if (const std::optional<size_t> following = next_due(*item + 1)) next = launch(*following);
    tried_at_[*item] = result_.kept.size();
    is_faster |= finish(std::move(now));
  }
  return is_faster;
}

void NetworkPass::begin_round(size_t round) {
  progress_ = {};
  progress_.what = TuneProgress::What::kPass;
  progress_.number = round;
  progress_.count = kMaxRounds;
  progress_.macs = state_.macs({});
  progress_.cycles = progress_.best_cycles = state_.cycles();
  for (const Item& item : items_) {
    if (is_due(item)) progress_.trials += combinations_of(item).size();
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
bool NetworkPass::is_due(const Item& item) const {
  const std::optional<size_t> tried = tried_at_[static_cast<size_t>(&item - items_.data())];
  if (!tried) return true;
  return std::ranges::any_of(item.tasks, [&](size_t task) {
    return std::ranges::any_of(near_[task],
                               [&](size_t near) { return changed_at_[near] > *tried; });
  });
}

std::optional<size_t> NetworkPass::next_due(size_t item) const {
  while (item < items_.size() && !is_due(items_[item])) ++item;
  return item < items_.size() ? std::optional(item) : std::nullopt;
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

std::vector<std::vector<Move>> NetworkPass::combinations_of(const Item& item) const {
  std::vector<std::vector<Move>> combinations;
  const std::vector<Move> firsts = others(item.tasks[0]);
  if (item.tasks.size() == 1) {
    for (const Move& move : firsts) combinations.push_back({move});
    return combinations;
  }
  const std::vector<Move> seconds = others(item.tasks[1]);
  if (firsts.empty() || seconds.empty()) return {};
  combinations.push_back({kept(item.tasks[0]), kept(item.tasks[1])});
  for (const Move& first : firsts) {
    for (const Move& second : seconds) combinations.push_back({first, second});
  }
  return combinations;
}

NetworkPass::Launched NetworkPass::launch(size_t index) {
  const Item& item = items_[index];
  Launched launched{index, result_.kept.size(), combinations_of(item), {}};
  const std::string neighbours = state_.neighbours(item.window, item.tasks);
  for (const std::vector<Move>& moves : launched.combinations) {
    Trial trial = trial_of(moves, state_, neighbours);
    launched.requests.push_back(
        item.tasks.size() == 1 ? trials_.request(moves, std::move(trial), JudgePool::Place::kLast)
                               : trials_.request_in_window(moves, std::move(trial), item.window));
  }
  return launched;
}

void NetworkPass::count(bool is_from_log) {
  ++(is_from_log ? result_.from_log : result_.measured);
  ++progress_.trial;
  progress_.trials = std::max(progress_.trials, progress_.trial);
  progress_.seconds = stopwatch_.seconds();
  if (on_progress_) on_progress_(progress_);
}

// The one with which the network is the fastest, if it is faster than now.
bool NetworkPass::finish(Launched launched) {
  if (items_[launched.item].tasks.size() > 1) launched = fastest_on_network(std::move(launched));
  uint64_t least = state_.cycles();
  const std::vector<Move>* best = nullptr;
  for (size_t i = 0; i < launched.requests.size(); ++i) {
    const uint64_t cycles = progress_.cycles = trials_.finish(launched.requests[i]);
    progress_.best_cycles = std::min(progress_.best_cycles, cycles);
    count(launched.requests[i].is_from_log);
    if (cycles >= least) continue;
    least = cycles;
    best = &launched.combinations[i];
  }
  if (best == nullptr) return false;
  keep(*best, least);
  return true;
}

// Requests a pair's combinations on the whole network: those that are the fastest in its window and
// faster than the kept ones.
NetworkPass::Launched NetworkPass::fastest_on_network(Launched in_window) {
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t i = 0; i < in_window.requests.size(); ++i) {
    const uint64_t cycles = trials_.finish(in_window.requests[i]);
    count(in_window.requests[i].is_from_log);
    if (cycles < in_window.requests[0].trial.together->cycles) order.emplace_back(cycles, i);
  }
  std::ranges::sort(order);
  order.resize(std::min(kMaxTriedOfPair, order.size()));
  Launched fastest{in_window.item, in_window.kept, {}, {}};
  for (const auto& [cycles, i] : order) {
    fastest.combinations.push_back(in_window.combinations[i]);
    fastest.requests.push_back(trials_.request(
        in_window.combinations[i], in_window.requests[i].trial, JudgePool::Place::kFirst));
  }
  return fastest;
}

void NetworkPass::keep(const std::vector<Move>& moves, uint64_t cycles) {
  NetworkPassResult::Kept kept;
  kept.saved_cycles = state_.cycles() - cycles;
  state_.keep(moves, cycles);
  for (const Move& move : moves) {
    kept.layers.push_back(state_.plans()[state_.tasks()[move.task].layers[0]].layer);
    kept.tilings.push_back(state_.tiling_text(move.task));
    changed_at_[move.task] = result_.kept.size() + 1;
  }
  result_.kept.push_back(std::move(kept));
}

}  // namespace vta::sim
