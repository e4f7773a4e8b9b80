// SPDX-License-Identifier: Apache-2.0
//
// Determines how a run ended from the states of the stages of a quiet core, for all simulators.
#ifndef VTA_SIM_FUNCTIONAL_RUN_END_H_
#define VTA_SIM_FUNCTIONAL_RUN_END_H_

#include <span>
#include <string>

#include "hw/core/types.h"
#include "sim/functional/native_core.h"

namespace vta::sim {

struct StageEnd {
  std::string stage;  // "load"
  core::StageStatus status;
  std::string channel;  // that its process waits on
  bool for_space = false;
};

struct CoreEnd {
  std::span<const StageEnd> stages;
  bool finished = false;
  uint32_t finish_index = 0;
  uint64_t tokens = 0;  // in all queues
};

// Sets the fault of `run` to the one with the lowest index, of a stage or for tokens left after
// FINISH. Otherwise sets it to a deadlock if a stage is in the middle of an instruction.
void find_fault(const CoreEnd& end, NativeRun& run);

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_RUN_END_H_
