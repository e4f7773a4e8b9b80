// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/network_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compiler/lower/tiling_sizes.h"

namespace vta::sim {
namespace {

using lower::LayerPlan;
using lower::LayerRange;
using lower::ScheduleBook;
using lower::Tiling;

constexpr size_t kNoTask = SIZE_MAX;
constexpr const char* kOrigin = "tuner";

}  // namespace

std::string text_of(const Tiling& tiling, const lower::ConvShape& shape) {
  return fmt::format("{}, slots {} x {}", to_string(tiling, shape), tiling.inp_slots,
                     tiling.wgt_slots);
}

NetworkState::NetworkState(std::vector<LayerPlan> plans, ScheduleBook book, uint64_t cycles)
    : plans_(std::move(plans)), book_(std::move(book)), cycles_(cycles) {
  std::map<std::string, size_t> index;
  for (size_t i = 0; i < plans_.size(); ++i) {
    task_of_.push_back(kNoTask);
    if (!plans_[i].task) continue;
    const auto [entry, is_new] = index.try_emplace(plans_[i].task->text, tasks_.size());
    if (is_new) tasks_.push_back({*plans_[i].task, {}, window_of(i)});
    tasks_[entry->second].layers.push_back(i);
    task_of_[i] = entry->second;
  }
}

const Tiling& NetworkState::tiling(size_t task) const {
  return plans_[tasks_[task].layers[0]].task->tiling;
}

std::string NetworkState::tiling_text(size_t task) const {
  return text_of(tiling(task), tasks_[task].task.problem.shape);
}

uint64_t NetworkState::macs(LayerRange window) const {
  uint64_t macs = 0;
  for (size_t i = 0; i < plans_.size(); ++i) {
    if (window.contains(i)) macs += plans_[i].macs;
  }
  return macs;
}

// The nearest layers before and after a layer that have instructions, if they are in its stream.
LayerRange NetworkState::window_of(size_t layer) const {
  LayerRange window{layer, layer + 1};
  const auto is_view = [&](size_t i) { return plans_[i].on_core && plans_[i].tiles == "in place"; };
  size_t before = layer;
  while (before > 0 && is_view(before - 1)) --before;
  if (before > 0 && plans_[before - 1].on_core) window.first = before - 1;
  size_t after = layer + 1;
  while (after < plans_.size() && is_view(after)) ++after;
  if (after < plans_.size() && plans_[after].on_core) window.end = after + 1;
  return window;
}

std::vector<NetworkState::Pair> NetworkState::pairs() const {
  std::vector<Pair> pairs;
  std::set<std::pair<size_t, size_t>> seen;
  size_t last = kNoTask;  // a layer
  for (size_t i = 0; i < plans_.size(); ++i) {
    if (!plans_[i].on_core) last = kNoTask;
    if (task_of_[i] == kNoTask) continue;
    if (last != kNoTask && task_of_[last] != task_of_[i] &&
        seen.insert(std::minmax(task_of_[last], task_of_[i])).second)
      pairs.push_back({task_of_[last], task_of_[i], {window_of(last).first, window_of(i).end}});
    last = i;
  }
  return pairs;
}

std::string NetworkState::neighbours(LayerRange window, const std::vector<size_t>& measured) const {
  std::string text;
  for (size_t i = window.first; i < window.end; ++i) {
    if (task_of_[i] == kNoTask || std::ranges::count(measured, task_of_[i]) > 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : "; ",
                        text_of(plans_[i].task->tiling, plans_[i].task->problem.shape));
  }
  return text;
}

ScheduleBook NetworkState::book_with(const std::vector<Move>& moves) const {
  ScheduleBook book = book_;
  for (const Move& move : moves) book.set(tasks_[move.task].task.text, {move.tiling, kOrigin});
  return book;
}

void NetworkState::keep(const std::vector<Move>& moves, uint64_t cycles) {
  book_ = book_with(moves);
  cycles_ = cycles;
  for (const Move& move : moves) {
    for (const size_t layer : tasks_[move.task].layers) plans_[layer].task->tiling = move.tiling;
  }
}

}  // namespace vta::sim
