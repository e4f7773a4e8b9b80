// SPDX-License-Identifier: Apache-2.0
//
// What each of the core's processes waits for in one cycle, in one word: who simulates the core
// makes it once a cycle, and everything that is said of that cycle comes from it. The states of the
// stages, whether the core is quiet, and where a stage stood in a deadlock.
#ifndef VTA_SIM_TIMED_CORE_WAITS_H_
#define VTA_SIM_TIMED_CORE_WAITS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "hw/registers/stage_cycles.h"
#include "sim/functional/run_end.h"

namespace vta::sim {

// kProcess_gemm
enum Process : uint8_t {
#define VTA_PROCESS(process, stage) kProcess_##process,
#include "sim/timed/waits.def"
  kNumProcesses
};

// kWait_gemm_gemm_queue, kEnd_gemm: the numbers of their bits.
enum Wait : uint8_t {
#define VTA_END(process) kEnd_##process,
#define VTA_WAIT(process, channel, what, for_room) kWait_##process##_##channel,
#include "sim/timed/waits.def"
  kNumWaits
};
// kTokens_load_to_gemm
enum TokenQueue : uint8_t {
#define VTA_TOKENS(queue, from, to) kTokens_##queue,
#include "sim/timed/waits.def"
  kNumTokenQueues
};
static_assert(kNumWaits <= 64, "waits are bits of one word");

// Which processes a stage's state comes from.
struct StageProcesses {
  driver::Stage stage;
  Process first, mover;  // the one that moves the data; of a stage of one process both are it
};
inline constexpr StageProcesses kStageProcesses[] = {
    {driver::kStage_load, kProcess_load_request, kProcess_load_data},
    {driver::kStage_gemm, kProcess_gemm, kProcess_gemm},
    {driver::kStage_alu, kProcess_alu, kProcess_alu},
    {driver::kStage_store, kProcess_store_read, kProcess_store_write},
};

// A stage is busy if one of its processes works; else it is in the mover's state, or, where the
// mover has no instruction, in the other's. So a load is in wait_memory while its beats are under
// way, and in wait_token only once nothing of an earlier load is left to do.
constexpr driver::StageState stage_state(driver::StageState first, driver::StageState mover) {
  return first == driver::kStageState_busy || mover == driver::kStageState_idle ? first : mover;
}

using ProcessStatuses = std::array<core::StageStatus, kNumProcesses>;

class CoreWaits {
 public:
  // `waits`: 1 or 0.
  void set(Wait wait, uint64_t waits) { bits_ |= waits << wait; }

  // No process moves, nor will one until something comes from outside. (A process that waits for a
  // port of a scratchpad gets it from one that moves.)
  bool is_quiet() const {
    for (const uint64_t standstill : kTables.standstill) {
      if ((bits_ & standstill) == 0) return false;
    }
    return true;
  }

  // A process without an instruction is idle; one with an instruction that waits for nothing works.
  driver::StageState state(Process process) const {
    return kTables.state_of[std::countr_zero(bits_ & kTables.all[process])];
  }

  // What it waits for; kNumWaits: nothing.
  Wait first_wait(Process process) const {
    return static_cast<Wait>(
        std::min<int>(std::countr_zero(bits_ & kTables.all[process]), kNumWaits));
  }

  bool operator==(const CoreWaits&) const = default;

  // The state of a process that waits so.
  static driver::StageState state_of(Wait wait) { return kTables.state_of[wait]; }

  // The processes as the end of a run shows them, for find_fault(). `statuses`: zero for those that
  // have none.
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
#define VTA_WAIT(process, channel, what, for_room) \
  add(kProcess_##process, kWait_##process##_##channel, kState_##what);
#include "sim/timed/waits.def"
  return tables;
}

inline constexpr CoreWaits::Tables CoreWaits::kTables = CoreWaits::make_tables();

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_CORE_WAITS_H_
