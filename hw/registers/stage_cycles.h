// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_REGISTERS_STAGE_CYCLES_H_
#define VTA_HW_REGISTERS_STAGE_CYCLES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/registers/registers.h"

namespace vta::hw {

// The stages that have states: load, gemm, alu, store.
inline constexpr std::size_t kNumCycleStages = 4;
inline constexpr std::size_t kNumStageStates = 6;

// By Stage and StageState.
inline constexpr const char* kStageNames[] = {
#define VTA_STAGE(name, number) #name,
#include "hw/registers/registers.def"
};
inline constexpr const char* kStageStateNames[kNumStageStates] = {
#define VTA_STAGE_STATE(name, number, description) #name,
#include "hw/registers/registers.def"
};

// The cycles of a run that each stage spent in each state. The states of a stage sum to the cycles
// of the run.
struct StageCycles {
  std::array<std::array<uint64_t, kNumStageStates>, kNumCycleStages> of{};  // [Stage][StageState]

  StageCycles& operator+=(const StageCycles& other);
  StageCycles& operator-=(const StageCycles& other);
  bool operator==(const StageCycles&) const = default;
};

}  // namespace vta::hw

#endif  // VTA_HW_REGISTERS_STAGE_CYCLES_H_
