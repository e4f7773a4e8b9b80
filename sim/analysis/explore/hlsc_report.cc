// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/hlsc_report.h"

#include <nlohmann/json.hpp>

#include "base/errors/error.h"

namespace vta::sim {

void read_hlsc_report(const CoreConfig& core, const std::string& report_json,
                      const std::function<void(const nlohmann::json&)>& read) {
  try {
    read(nlohmann::json::parse(report_json));
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorCode::kCorrupt, "core {}: not a report of vta-hlsc: {}", core.name, error.what());
  }
}

}  // namespace vta::sim
