// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/hlsc_report.h"

#include <nlohmann/json.hpp>

#include "base/files/strict_json.h"

namespace vta::sim {

void read_hlsc_report(const CoreConfig& core, const std::string& report_json,
                      const std::function<void(const nlohmann::json&)>& read) {
  with_json_errors("core " + core.name + ": not a report of vta-hlsc",
                   [&] { read(nlohmann::json::parse(report_json)); });
}

}  // namespace vta::sim
