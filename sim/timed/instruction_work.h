// SPDX-License-Identifier: Apache-2.0
//
// InstructionWork: a RunTrace by instruction.
#ifndef VTA_SIM_TIMED_INSTRUCTION_WORK_H_
#define VTA_SIM_TIMED_INSTRUCTION_WORK_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hw/isa/instruction.h"
#include "sim/timed/run_trace.h"

namespace vta::sim {

// The work of one process on one instruction or carrier. A carrier has the index of the instruction
// that it serves.
struct InstructionWork {
  RunTrace::Work work;
  bool is_carrier = false;
  uint64_t moved_bytes = 0;  // between DRAM and a scratchpad, by this process
  std::vector<TokenQueue> pops, pushes;
  std::array<uint64_t, hw::kNumStageStates> state_cycles{};  // cycles of `work` by [StageState]
  std::span<const RunTrace::WaitSpan> waits;                 // during `work`, in order
};

// All work of a process, in order. The spans refer to `trace`.
std::vector<InstructionWork> instruction_work(const RunTrace& trace, Process process,
                                              std::span<const isa::InstructionBits> stream,
                                              const CoreConfig& config);

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_INSTRUCTION_WORK_H_
