// SPDX-License-Identifier: Apache-2.0
//
// Judge: measures a network, or some layers in their place, with given schedules on a device that
// counts cycles.
#ifndef VTA_SIM_ANALYSIS_TUNE_JUDGE_H_
#define VTA_SIM_ANALYSIS_TUNE_JUDGE_H_

#include <cstdint>

#include "compiler/graph/graph.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/schedule_book.h"
#include "configs/core_config.h"
#include "driver/device.h"

namespace vta::sim {

class Judge {
 public:
  // `graph`: as lower::lower() takes it. `tilings`: of this core, found so far. Both and the
  // device, which need not compute, outlive the judge.
  Judge(const graph::Graph& graph, const CoreConfig& core, driver::Device& device,
        lower::TilingCache& tilings)
      : graph_(graph), core_(core), device_(device), tilings_(tilings) {}

  lower::LoweredGraph lower(const lower::ScheduleBook& book, lower::LayerRange window = {});

  // Cycles of all streams of the core; with a window, of its layers by themselves. Errors: as
  // lower::lower() and Device::run().
  uint64_t cycles(const Program& program);
  uint64_t cycles(const lower::ScheduleBook& book, lower::LayerRange window = {}) {
    return cycles(lower(book, window).program);
  }

 private:
  const graph::Graph& graph_;
  const CoreConfig core_;
  driver::Device& device_;
  lower::TilingCache& tilings_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_JUDGE_H_
