// SPDX-License-Identifier: Apache-2.0
//
// How fast a core can be clocked: by vta-hlsc's estimate of its registers (hw/hlsc/estimate), and
// as routed by the open tools, where hw/fpga/boards/timing has the core.
#ifndef VTA_SIM_ANALYSIS_EXPLORE_CLOCK_ESTIMATE_H_
#define VTA_SIM_ANALYSIS_EXPLORE_CLOCK_ESTIMATE_H_

#include <optional>
#include <string>

#include "configs/core_config.h"

namespace vta::sim {

struct CoreClocks {
  double estimated_mhz = 0;          // the slowest register of all processes
  std::optional<double> routed_mhz;  // of the same hardware, whatever its name
};

// `report_json`: of `vta-hlsc report --json`. Errors: kCorrupt for another text.
CoreClocks estimate_clocks(const CoreConfig& core, const std::string& report_json);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_CLOCK_ESTIMATE_H_
