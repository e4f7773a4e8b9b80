// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/network_trials.h"

#include <utility>

namespace vta::sim {

Trial trial_of(const std::vector<Move>& moves, const NetworkState& state,
               const std::string& neighbours) {
  const auto text = [&](const Move& move) { return state.tasks()[move.task].task.text; };
  Trial trial;
  trial.task = text(moves.at(0));
  trial.tiling = moves[0].tiling;
  trial.neighbours = neighbours;
  trial.cycles = moves[0].cycles;
  if (moves.size() > 1) trial.together = Trial::Together{};
  for (size_t i = 1; i < moves.size(); ++i)
    trial.together->others.push_back({text(moves[i]), moves[i].tiling, moves[i].cycles});
  return trial;
}

NetworkTrials::Request NetworkTrials::request(const std::vector<Move>& moves, Trial trial,
                                              JudgePool::Place place) {
  trial.of_network = Trial::OfNetwork{network_, state_.cycles()};
  return open(moves, std::move(trial), {}, place);
}

NetworkTrials::Request NetworkTrials::request_in_window(const std::vector<Move>& moves, Trial trial,
                                                        lower::LayerRange window) {
  return open(moves, std::move(trial), window, JudgePool::Place::kLast);
}

NetworkTrials::Request NetworkTrials::open(const std::vector<Move>& moves, Trial trial,
                                           lower::LayerRange window, JudgePool::Place place) {
  if (const Trial* logged = log_.find(trial)) return {*logged, true, std::nullopt};
  return {std::move(trial), false, pool_.measure(state_.book_with(moves), window, place)};
}

uint64_t NetworkTrials::finish(Request& request) {
  Trial& trial = request.trial;
  uint64_t& cycles = trial.of_network ? trial.of_network->cycles : trial.together.value().cycles;
  if (request.measurement) {
    cycles = request.measurement->cycles();
    log_.append(trial);
  }
  return cycles;
}

}  // namespace vta::sim
