// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_ANALYSIS_EXPLORE_HLSC_REPORT_H_
#define VTA_SIM_ANALYSIS_EXPLORE_HLSC_REPORT_H_

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "configs/core_config.h"

namespace vta::sim {

// Reads the core's `vta-hlsc report --json`. Errors: kCorrupt for another text.
void read_hlsc_report(const CoreConfig& core, const std::string& report_json,
                      const std::function<void(const nlohmann::json&)>& read);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_HLSC_REPORT_H_
