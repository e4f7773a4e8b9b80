// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/clock_estimate.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "configs/core_fields.h"
#include "runtime/base/error.h"
#include "sim/explore/timing_files.h"

namespace vta::sim {
namespace {

struct RoutedCore {
  const char* name;
  std::string_view figures;
};

constexpr double kNsPerUs = 1000;

bool has_same_fields(const CoreConfig& a, const CoreConfig& b) {
  return std::ranges::all_of(
      kCoreFields, [&](const CoreField& field) { return a.*field.member == b.*field.member; });
}

std::optional<double> routed_mhz(const CoreConfig& core) {
  for (const auto& [name, figures] :
       {RoutedCore{"tiny_1x8", kTimingOfTiny1x8}, RoutedCore{"vta_1x16", kTimingOfVta1x16}}) {
    if (has_same_fields(core, load_core_config(name)))
      return nlohmann::json::parse(figures).at("routed_mhz").get<double>();
  }
  return std::nullopt;
}

}  // namespace

CoreClocks estimate_clocks(const CoreConfig& core, const std::string& report_json) {
  double slowest_ns = 0;
  try {
    const auto report = nlohmann::json::parse(report_json);
    for (const auto& process : report.at("processes"))
      slowest_ns = std::max(slowest_ns, process.value("estimated_ns", 0.0));
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorCode::kCorrupt, "core {}: not a report of vta-hlsc: {}", core.name, error.what());
  }
  if (slowest_ns <= 0)
    fail(ErrorCode::kCorrupt, "core {}: a report of vta-hlsc without estimated_ns", core.name);
  return {kNsPerUs / slowest_ns, routed_mhz(core)};
}

}  // namespace vta::sim
