// SPDX-License-Identifier: Apache-2.0
//
// What a RunTrace says of single instructions.
#ifndef VTA_SIM_TIMED_INSTRUCTION_WORK_H_
#define VTA_SIM_TIMED_INSTRUCTION_WORK_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hw/isa/instruction.h"
#include "sim/timed/run_trace.h"

namespace vta::sim {

// What one process did for an instruction, or with a carrier, which has the index of the
// instruction that it serves.
struct InstructionWork {
  RunTrace::Work work;
  bool is_carrier = false;
  uint64_t moved_bytes = 0;  // by this process, between DRAM and a scratchpad
  std::vector<TokenQueue> pops, pushes;
  std::array<uint64_t, driver::kNumStageStates> state_cycles{};  // of `work`; [StageState]
  std::span<const RunTrace::Standstill> waits;                   // in it, in order
};

// In order. The spans are into `trace`.
std::vector<InstructionWork> instruction_work(const RunTrace& trace, Process process,
                                              std::span<const isa::InstructionBits> stream,
                                              const CoreConfig& config);

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_INSTRUCTION_WORK_H_
