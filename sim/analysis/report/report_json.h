// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_ANALYSIS_REPORT_REPORT_JSON_H_
#define VTA_SIM_ANALYSIS_REPORT_REPORT_JSON_H_

#include <string>

#include "sim/analysis/report/network_report.h"

namespace vta::sim {

// One JSON object in one line; README.md lists the keys.
std::string to_json(const NetworkReport& report);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_REPORT_JSON_H_
