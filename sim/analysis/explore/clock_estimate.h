// SPDX-License-Identifier: Apache-2.0
//
// How fast a core can be clocked: by vta-hlsc's estimate of its registers (hw/hlsc/estimate), and
// as routed by the open tools, where hw/fpga/boards/timing has the core.
#ifndef VTA_SIM_ANALYSIS_EXPLORE_CLOCK_ESTIMATE_H_
#define VTA_SIM_ANALYSIS_EXPLORE_CLOCK_ESTIMATE_H_

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "configs/core_config.h"
#include "sim/analysis/explore/routed_cores.h"

namespace vta::sim {

struct CoreClocks {
  double estimated_mhz = 0;          // the slowest register of all processes
  std::optional<double> routed_mhz;  // of the same Verilog, whatever the core's name
  std::string verilog_sha256;        // if a core with the same fields was routed; else ""
  std::string not_routed;            // why a routed clock of the same fields is not that; or ""
};

// `report_json`: of `vta-hlsc report --json`. `verilog_sha256`: of the core as it is scheduled
// (ModelCache::verilog_sha256()), called if a core with the same fields is one of `routed`. Errors:
// kCorrupt for another text; any error of `verilog_sha256`.
CoreClocks estimate_clocks(const CoreConfig& core, const std::string& report_json,
                           const std::function<std::string()>& verilog_sha256,
                           std::span<const RoutedCore> routed = routed_cores());

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_CLOCK_ESTIMATE_H_
