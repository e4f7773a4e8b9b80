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
  driver::Stage stage;
  Process first, mover;
};
constexpr StageProcesses processes_of(driver::Stage stage) {
  const core::StageProcesses processes = core::processes_of(driver::kStageNames[stage]);
  return {stage, processes.first, processes.mover};
}
inline constexpr StageProcesses kStageProcesses[] = {
    processes_of(driver::kStage_load), processes_of(driver::kStage_gemm),
    processes_of(driver::kStage_alu), processes_of(driver::kStage_store)};

// A stage is busy if one of its processes works. Otherwise it has the mover's state, or, if the
// mover is idle, the state of the other process. So a load is in wait_memory while its beats are in
// flight, and in wait_token only once all earlier loads are done.
constexpr driver::StageState stage_state(driver::StageState first, driver::StageState mover) {
  return first == driver::kStageState_busy || mover == driver::kStageState_idle ? first : mover;
}

using ProcessStatuses = std::array<core::StageStatus, kNumProcesses>;

class CoreWaits {
 public:
  // `waits`: 1 or 0.
  void set(Wait wait, uint64_t waits) { bits_ |= waits << wait; }

  // No process moves, and none will until something arrives from outside. (A process that waits
  // for a scratchpad port gets it from a process that moves.)
  bool is_quiet() const {
    for (const uint64_t standstill : kTables.standstill) {
      if ((bits_ & standstill) == 0) return false;
    }
    return true;
  }

  // idle: the process has no instruction; busy: it has one and waits for nothing.
  driver::StageState state(Process process) const {
    return kTables.state_of[std::countr_zero(bits_ & kTables.all[process])];
  }

  // What the process waits for; kNumWaits: nothing.
  Wait first_wait(Process process) const {
    return static_cast<Wait>(
        std::min<int>(std::countr_zero(bits_ & kTables.all[process]), kNumWaits));
  }

  bool operator==(const CoreWaits&) const = default;

  // The state of a process in this wait.
  static driver::StageState state_of(Wait wait) { return kTables.state_of[wait]; }

  // The processes at the end of a run, for find_fault(). `statuses`: zero for processes without
  // one.
  std::vector<StageEnd> stage_ends(const ProcessStatuses& statuses) const;

 private:
  struct Tables {
    std::array<uint64_t, kNumProcesses> all{}, standstill{};  // the bits of each process
    std::array<driver::StageState, 65> state_of{};            // by the first bit; 64: none
  };
  static constexpr Tables make_tables();
  static const Tables kTables;

  uint64_t bits_ = 0;
};

constexpr CoreWaits::Tables CoreWaits::make_tables() {
  constexpr driver::StageState kState_instruction = driver::kStageState_idle;
  constexpr driver::StageState kState_token = driver::kStageState_wait_token;
  constexpr driver::StageState kState_memory = driver::kStageState_wait_memory;
  constexpr driver::StageState kState_port = driver::kStageState_wait_port;
  constexpr driver::StageState kState_queue = driver::kStageState_wait_queue;
  Tables tables;
  tables.state_of.fill(driver::kStageState_busy);
  const auto add = [&](Process process, int bit, driver::StageState state) {
    tables.all[process] |= uint64_t{1} << bit;
    if (state != kState_port) tables.standstill[process] |= uint64_t{1} << bit;
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
