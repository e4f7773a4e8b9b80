// SPDX-License-Identifier: Apache-2.0
//
// Runs one program on the functional and on the Verilated core. The functional core runs first and
// records the beats that STORE writes; each beat that the Verilated core writes is compared with
// this list. There is one in-order store stage, so the list does not depend on timing.
#ifndef VTA_SIM_RTL_LOCKSTEP_RUN_H_
#define VTA_SIM_RTL_LOCKSTEP_RUN_H_

#include <cstdint>

#include "base/limits/deadline.h"
#include "configs/core_config.h"
#include "sim/functional/native_core.h"
#include "sim/rtl/rtl_core.h"

namespace vta::sim {

struct LockstepCores {
  NativeCore& functional;
  TimedCore& rtl;
  const CoreConfig& config;
};

struct LockstepProgram {
  uint8_t* arena;
  uint64_t arena_bytes;
  uint32_t program_offset_bytes;
  uint32_t count;
  Deadline deadline;  // for both runs
};

// Returns the RTL's result and its arena.
// Errors: kDevice for the first difference: of a beat, with instruction, address, both values and
// cycle; or at the end, of the fault, the counters or a byte of the arena.
NativeRun run_in_lockstep(const LockstepCores& cores, const LockstepProgram& program);

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_LOCKSTEP_RUN_H_
