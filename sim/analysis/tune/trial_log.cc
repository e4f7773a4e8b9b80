// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/trial_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/command_line/command_line.h"

namespace vta::sim {
namespace {

std::string choices_text(const lower::Tiling& tiling) {
  return fmt::format("{}", fmt::join(choices_of(tiling), ","));
}

// All that a trial's cycles depend on.
std::string key_of(const Trial& trial) {
  std::string key =
      fmt::format("{}|{}|{}|", trial.task, choices_text(trial.tiling), trial.neighbours);
  if (trial.together) {
    for (const Trial::OfTask& other : trial.together->others)
      key += fmt::format("{}|{}|", other.task, choices_text(other.tiling));
  }
  if (const auto& tried = trial.of_network) {
    key += fmt::format("{}: {}", tried->network, tried->cycles_before);
    if (tried->is_state) key += fmt::format(" to {}", tried->cycles);
  }
  return key;
}

}  // namespace

TrialLog::TrialLog(const std::filesystem::path& path, const CoreConfig& core,
                   const std::string& memory)
    : core_(core), memory_(memory), log_(path) {
  for (Trial& trial : read_schedule_log(path, core, memory)) {
    std::string key = key_of(trial);
    logged_.insert_or_assign(std::move(key), std::move(trial));
  }
}

const Trial* TrialLog::find(const Trial& trial) const {
  const auto logged = logged_.find(key_of(trial));
  return logged == logged_.end() ? nullptr : &logged->second;
}

void TrialLog::append(const Trial& trial) {
  without_interruption([&] { log_.append(to_line(trial, core_, memory_)); });
  logged_.insert_or_assign(key_of(trial), trial);
}

}  // namespace vta::sim
