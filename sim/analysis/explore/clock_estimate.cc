// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/clock_estimate.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "sim/analysis/explore/hlsc_report.h"
#include "sim/analysis/explore/routed_cores.h"

namespace vta::sim {
namespace {

constexpr double kNsPerUs = 1000;

std::optional<double> routed_mhz(const CoreConfig& core) {
  for (const RoutedCore& routed : routed_cores()) {
    if (core.same_hardware(load_core_config(routed.name))) return routed.mhz;
  }
  return std::nullopt;
}

}  // namespace

CoreClocks estimate_clocks(const CoreConfig& core, const std::string& report_json) {
  double slowest_ns = 0;
  read_hlsc_report(core, report_json, [&](const nlohmann::json& report) {
    for (const auto& process : report.at("processes"))
      slowest_ns = std::max(slowest_ns, process.value("estimated_ns", 0.0));
  });
  if (slowest_ns <= 0)
    fail(ErrorCode::kCorrupt, "core {}: a report of vta-hlsc without estimated_ns", core.name);
  return {kNsPerUs / slowest_ns, routed_mhz(core)};
}

}  // namespace vta::sim
