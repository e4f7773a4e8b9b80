// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/run_end.h"

#include <algorithm>

namespace vta::sim {
namespace {

void find_deadlock(const CoreEnd& end, NativeRun& run) {
  run.fault = isa::kDeadlock;
  run.index = UINT32_MAX;
  for (const StageEnd& stage : end.stages) {
    if (!stage.status.busy) continue;
    run.index = std::min(run.index, stage.status.index);
    run.waiting.push_back({stage.stage, stage.status.index, stage.channel, stage.for_space});
  }
}

}  // namespace

void find_fault(const CoreEnd& end, NativeRun& run) {
  bool any_fault = false, any_waits = false;
  const auto consider = [&](uint8_t fault, uint32_t index, uint64_t value) {
    if (any_fault && run.index <= index) return;
    any_fault = true;
    run.fault = static_cast<isa::FaultCode>(fault);
    run.index = index;
    run.value = value;
  };
  for (const StageEnd& stage : end.stages) {
    if (stage.status.fault != isa::kNoFault) {
      consider(stage.status.fault, stage.status.index, stage.status.value);
    } else {
      any_waits |= stage.status.busy;
    }
  }
  if (end.finished && !any_waits && end.tokens > 0)
    consider(isa::kTokensLeft, end.finish_index, end.tokens);
  if (!any_fault && any_waits) find_deadlock(end, run);
}

}  // namespace vta::sim
