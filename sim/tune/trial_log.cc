// SPDX-License-Identifier: Apache-2.0
#include "sim/tune/trial_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "runtime/base/command_line.h"

namespace vta::sim {
namespace {

std::string network_key(const std::string& network, uint64_t cycles_before) {
  return fmt::format("{}: {}", network, cycles_before);
}

// The network is "" for a trial that measures a window.
std::string key_of(const std::string& task, const lower::Tiling& tiling,
                   const std::string& neighbours, const std::string& network) {
  return fmt::format("{}|{}|{}|{}", task, fmt::join(choices_of(tiling), ","), neighbours, network);
}

}  // namespace

TrialLog::TrialLog(const std::filesystem::path& path, const CoreConfig& core,
                   const std::string& memory)
    : core_(core), memory_(memory), log_(path) {
  for (Trial& trial : read_schedule_log(path, core, memory)) {
    const auto& tried = trial.of_network;
    const std::string network = tried ? network_key(tried->network, tried->cycles_before) : "";
    std::string key = key_of(trial.task, trial.tiling, trial.neighbours, network);
    logged_.insert_or_assign(std::move(key), std::move(trial));
  }
}

const uint64_t* TrialLog::find(const std::string& task, const lower::Tiling& tiling,
                               const std::string& neighbours) const {
  const auto logged = logged_.find(key_of(task, tiling, neighbours, ""));
  return logged == logged_.end() ? nullptr : &logged->second.cycles;
}

const Trial::OfNetwork* TrialLog::find_on_network(const std::string& task,
                                                  const lower::Tiling& tiling,
                                                  const std::string& neighbours,
                                                  const std::string& network,
                                                  uint64_t cycles_before) const {
  const auto logged =
      logged_.find(key_of(task, tiling, neighbours, network_key(network, cycles_before)));
  return logged == logged_.end() ? nullptr : &logged->second.of_network.value();
}

void TrialLog::append(const Trial& trial) {
  without_interruption([&] { log_.append(to_line(trial, core_, memory_)); });
}

}  // namespace vta::sim
