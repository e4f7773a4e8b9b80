// SPDX-License-Identifier: Apache-2.0
#include "sim/cycle/process_times.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/errors/error.h"

namespace vta::sim {
namespace {

using process_network::Cycle;
using process_network::kNever;

struct NamedWait {
  Process process;
  const char* channel;  // "" for the end
  Wait wait;
};
constexpr NamedWait kWaits[] = {
#define VTA_END(process) {kProcess_##process, "", kEnd_##process},
#define VTA_WAIT(process, channel, what, for_space) \
  {kProcess_##process, #channel, kWait_##process##_##channel},
#include "hw/core/processes.def"
};

// Channel `acc` is also that of object `acc_1`, a RAM of an interleaved one.
bool is_of(std::string_view channel, std::string_view object) {
  if (!object.starts_with(channel)) return false;
  const std::string_view rest = object.substr(channel.size());
  return rest.empty() || rest == "_0" || rest == "_1";
}

Wait find_wait(Process process, std::string_view object) {
  const auto* found = std::find_if(std::begin(kWaits), std::end(kWaits), [&](const NamedWait& w) {
    return w.process == process && (object.empty() ? *w.channel == '\0' : is_of(w.channel, object));
  });
  VTA_ASSERT(found != std::end(kWaits), "a wait that is not in hw/core/processes.def");
  return found->wait;
}

Process find_process(std::string_view name) {
  const auto& names = core::kProcessNames;
  const auto* found = std::find(std::begin(names), std::end(names), name);
  VTA_ASSERT(found != std::end(names), "a process that is not in hw/core/processes.def");
  return static_cast<Process>(found - std::begin(names));
}

}  // namespace

ProcessTimes::ProcessTimes(const process_network::ProcessNetwork& network,
                           std::span<const char* const> objects, Cycle last_cycle)
    : cycles_(last_cycle) {
  for (const process_network::Process* process : network.processes())
    add(find_process(process->name()), *process, objects);
}

void ProcessTimes::add(Process process, const process_network::Process& of,
                       std::span<const char* const> objects) {
  std::vector<std::optional<Wait>> found(objects.size());
  const auto wait_of = [&](uint32_t object) {
    if (object == process_network::Process::kNoObject) return find_wait(process, "");
    if (!found[object].has_value()) found[object] = find_wait(process, objects[object]);
    return *found[object];
  };
  intervals_[process].reserve(of.waits().size());
  for (const process_network::Process::Wait& wait : of.waits()) {
    const Wait what = wait_of(wait.object);
    intervals_[process].push_back({wait.from, wait.to, what, CoreWaits::state_of(what)});
    if (wait.to != kNever) continue;
    cycles_ = std::max(cycles_, wait.from);
    waits_.set(what, 1);
  }
}

void ProcessTimes::record(RunTrace& trace) const {
  for (int process = 0; process < kNumProcesses; ++process) {
    trace.processes[process].waits.reserve(intervals_[process].size());
    for (const Interval& interval : intervals_[process]) {
      if (interval.from >= cycles_) break;
      trace.processes[process].waits.push_back(
          {interval.from, std::min(interval.to, cycles_), interval.wait});
    }
  }
}

void ProcessTimes::count(const StageProcesses& processes, StateCycles& states) const {
  Cycle now = 0;
  size_t i[2] = {0, 0};
  const std::vector<Interval>* all[2] = {&intervals_[processes.first],
                                         &intervals_[processes.mover]};
  while (now < cycles_) {
    hw::StageState state[2];
    Cycle end = cycles_;
    for (int k = 0; k < 2; ++k) {
      while (i[k] < all[k]->size() && (*all[k])[i[k]].to <= now) ++i[k];
      state[k] = hw::kStageState_busy;
      if (i[k] == all[k]->size()) continue;
      const Interval& interval = (*all[k])[i[k]];
      const bool inside = interval.from <= now;
      if (inside) state[k] = interval.state;
      end = std::min(end, inside ? interval.to : interval.from);
    }
    states[stage_state(state[0], state[1])] += end - now;
    now = end;
  }
}

hw::StageCycles ProcessTimes::stages() const {
  hw::StageCycles stages;
  for (const StageProcesses& of : kStageProcesses) count(of, stages.of[of.stage]);
  return stages;
}

}  // namespace vta::sim
