// SPDX-License-Identifier: Apache-2.0
#include "hw/registers/counters.h"

namespace vta::hw {

StageCycles& StageCycles::operator+=(const StageCycles& other) {
  for (size_t stage = 0; stage < kNumCycleStages; ++stage) {
    for (size_t state = 0; state < kNumStageStates; ++state)
      of[stage][state] += other.of[stage][state];
  }
  return *this;
}

StageCycles& StageCycles::operator-=(const StageCycles& other) {
  for (size_t stage = 0; stage < kNumCycleStages; ++stage) {
    for (size_t state = 0; state < kNumStageStates; ++state)
      of[stage][state] -= other.of[stage][state];
  }
  return *this;
}

Counters& Counters::operator+=(const Counters& other) {
#define VTA_COUNTER(offset, name, description) name += other.name;
#include "hw/registers/registers.def"
  if (other.cycles) cycles = cycles.value_or(0) + *other.cycles;
  if (other.stages) {
    if (!stages) stages.emplace();
    *stages += *other.stages;
  }
  return *this;
}

}  // namespace vta::hw
