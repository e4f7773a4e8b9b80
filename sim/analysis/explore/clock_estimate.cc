// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/clock_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "sim/analysis/explore/hlsc_report.h"

namespace vta::sim {
namespace {

constexpr double kNsPerUs = 1000;

// Sets the routed clock, or why there is none, from the first core with the same fields.
void find_routed(const CoreConfig& core, const std::function<std::string()>& verilog_sha256,
                 std::span<const RoutedCore> all, CoreClocks& clocks) {
  for (const RoutedCore& routed : all) {
    if (!core.same_hardware(load_core_config(routed.name))) continue;
    clocks.verilog_sha256 = verilog_sha256();
    if (routed.verilog_sha256 == clocks.verilog_sha256) {
      clocks.routed_mhz = routed.mhz;
    } else {
      clocks.not_routed = fmt::format(
          "the {:g} MHz of hw/fpga/boards/timing/{}.json are of other Verilog; "
          "hw/fpga/build_bitstream --tools open --core {} --write routes it again",
          routed.mhz, routed.name, routed.name);
    }
    return;
  }
}

}  // namespace

CoreClocks estimate_clocks(const CoreConfig& core, const std::string& report_json,
                           const std::function<std::string()>& verilog_sha256,
                           std::span<const RoutedCore> routed) {
  double slowest_ns = 0;
  read_hlsc_report(core, report_json, [&](const nlohmann::json& report) {
    for (const auto& process : report.at("processes"))
      slowest_ns = std::max(slowest_ns, process.value("estimated_ns", 0.0));
  });
  if (slowest_ns <= 0)
    fail(ErrorCode::kCorrupt, "core {}: a report of vta-hlsc without estimated_ns", core.name);
  CoreClocks clocks;
  clocks.estimated_mhz = kNsPerUs / slowest_ns;
  find_routed(core, verilog_sha256, routed, clocks);
  return clocks;
}

}  // namespace vta::sim
