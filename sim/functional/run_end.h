// SPDX-License-Identifier: Apache-2.0
//
// How a run of the core ended, from what its stages show once nothing moves any more. The same for
// all simulators.
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
  std::string channel;  // where its process waits
  bool for_room = false;
};

struct CoreEnd {
  std::span<const StageEnd> stages;
  bool finished = false;
  uint32_t finish_index = 0;
  uint64_t tokens = 0;  // in all queues
};

// Sets the fault of `run`: that of the lowest index, be it of a stage or of tokens that FINISH
// leaves; else a deadlock, if a stage is in the middle of an instruction.
void find_fault(const CoreEnd& end, NativeRun& run);

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_RUN_END_H_
