// SPDX-License-Identifier: Apache-2.0
//
// CoreWaits: what each of the core's processes waits for in one cycle, in one word. A simulator
// makes one each cycle; the states of the stages, whether the core is quiet, and where each stage
// is stuck in a deadlock all follow from it.
#ifndef VTA_SIM_TIMED_CORE_WAITS_H_
#define VTA_SIM_TIMED_CORE_WAITS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "hw/core/processes.h"
#include "hw/registers/stage_cycles.h"
#include "sim/functional/run_end.h"

namespace vta::sim {

using core::Process;
using enum core::Process;

// kWait_gemm_gemm_queue, kEnd_gemm: bit numbers.
enum Wait : uint8_t {
#define VTA_END(process) kEnd_##process,
#define VTA_WAIT(process, channel, state, for_space) kWait_##process##_##channel,
#include "hw/core/processes.def"
  kNumWaits
};
// kTokens_load_to_gemm
enum TokenQueue : uint8_t {
#define VTA_TOKENS(queue, from, to) kTokens_##queue,
#include "hw/core/processes.def"
  kNumTokenQueues
};
static_assert(kNumWaits <= 64, "waits are bits of one word");

// The processes that determine the state of a stage (hw/core/processes.h).
struct StageProcesses {
  hw::Stage stage;
  Process first, mover;
};
constexpr StageProcesses processes_of(hw::Stage stage) {
  const core::StageProcesses processes = core::processes_of(hw::kStageNames[stage]);
  return {stage, processes.first, processes.mover};
}
inline constexpr StageProcesses kStageProcesses[] = {
    processes_of(hw::kStage_load), processes_of(hw::kStage_gemm), processes_of(hw::kStage_alu),
    processes_of(hw::kStage_store)};

// A stage is busy if one of its processes works. Otherwise it has the mover's state, or, if the
// mover is idle, the state of the other process. So a load is in wait_memory while its beats are in
// flight, and in wait_token only once all earlier loads are done.
constexpr hw::StageState stage_state(hw::StageState first, hw::StageState mover) {
  return first == hw::kStageState_busy || mover == hw::kStageState_idle ? first : mover;
}

using ProcessStatuses = std::array<core::StageStatus, kNumProcesses>;

class CoreWaits {
 public:
  // `waits`: 1 or 0.
  void set(Wait wait, uint64_t waits) { bits_ |= waits << wait; }

  // No process moves, and none will until something arrives from outside. (A process that waits
  // for a scratchpad port gets it from a process that moves.)
  bool is_quiet() const {
    for (const uint64_t quiet : kTables.quiet) {
      if ((bits_ & quiet) == 0) return false;
    }
    return true;
  }

  // idle: the process has no instruction; busy: it has one and waits for nothing.
  hw::StageState state(Process process) const {
    return kTables.state_of[std::countr_zero(bits_ & kTables.all[process])];
  }

  // What the process waits for; kNumWaits: nothing.
  Wait first_wait(Process process) const {
    return static_cast<Wait>(
        std::min<int>(std::countr_zero(bits_ & kTables.all[process]), kNumWaits));
  }

  bool operator==(const CoreWaits&) const = default;

  // The state of a process in this wait.
  static hw::StageState state_of(Wait wait) { return kTables.state_of[wait]; }

  // The processes at the end of a run, for find_fault(). `statuses`: zero for processes without
  // one.
  std::vector<StageEnd> stage_ends(const ProcessStatuses& statuses) const;

 private:
  struct Tables {
    std::array<uint64_t, kNumProcesses> all{}, quiet{};  // the bits of each process
    std::array<hw::StageState, 65> state_of{};           // by the first bit; 64: none
  };
  static constexpr Tables make_tables();
  static const Tables kTables;

  uint64_t bits_ = 0;
};

constexpr CoreWaits::Tables CoreWaits::make_tables() {
  constexpr hw::StageState kState_instruction = hw::kStageState_idle;
  constexpr hw::StageState kState_token = hw::kStageState_wait_token;
  constexpr hw::StageState kState_memory = hw::kStageState_wait_memory;
  constexpr hw::StageState kState_port = hw::kStageState_wait_port;
  constexpr hw::StageState kState_queue = hw::kStageState_wait_queue;
  Tables tables;
  tables.state_of.fill(hw::kStageState_busy);
  const auto add = [&](Process process, int bit, hw::StageState state) {
    tables.all[process] |= uint64_t{1} << bit;
    if (state != kState_port) tables.quiet[process] |= uint64_t{1} << bit;
    tables.state_of[bit] = state;
  };
#define VTA_END(process) add(kProcess_##process, kEnd_##process, kState_instruction);
#define VTA_WAIT(process, channel, state, for_space) \
  add(kProcess_##process, kWait_##process##_##channel, kState_##state);
#include "hw/core/processes.def"
  return tables;
}

inline constexpr CoreWaits::Tables CoreWaits::kTables = CoreWaits::make_tables();

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_CORE_WAITS_H_
