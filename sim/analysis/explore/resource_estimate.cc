// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/resource_estimate.h"

#include <nlohmann/json.hpp>

#include "sim/analysis/explore/hlsc_report.h"

namespace vta::sim {
namespace {

// Least squares of relative errors. `per_missing_lane`: of a lane that a folded ALU lacks. No core
// with pixel pairs is among the fitted ones: it has more of `per_product` only.
struct Fit {
  double constant, per_lane, per_product, per_missing_lane;

  double at(const CoreConfig& core) const {
    const double lanes = core.lanes(), missing_lanes = lanes - core.alu_lanes();
    return constant + per_lane * lanes + per_product * core.macs() +
           per_missing_lane * missing_lanes;
  }
};
// RAMs of the AXI adaptors' FIFOs, which are not in the report.
constexpr double kAdaptorsRamb36 = 2;
constexpr Fit kLut = {7220, 1050, 7.82, -510};
constexpr Fit kFf = {7441, 422, 0.78, 0};

}  // namespace

FpgaResources estimate_resources(const CoreConfig& core, const std::string& report_json) {
  FpgaResources used;
  read_hlsc_report(core, report_json, [&](const nlohmann::json& report) {
    for (const auto& process : report.at("processes"))
      used.dsp48e1 += process.at("dsp48e1").get<double>();
    for (const auto& memory : report.at("memories"))
      used.ramb36 += memory.at("ramb36").get<double>();
  });
  used.ramb36 += kAdaptorsRamb36;
  used.lut = kLut.at(core);
  used.ff = kFf.at(core);
  return used;
}

PartShare share_of(const FpgaPart& part, const FpgaResources& used) {
  PartShare most;
  const auto consider = [&](const char* resource, double takes, double has) {
    if (most.resource[0] == '\0' || takes / has > most.share) most = {takes / has, resource};
  };
  consider("LUT", used.lut, part.has.lut);
  consider("FF", used.ff, part.has.ff);
  consider("DSP48E1", used.dsp48e1, part.has.dsp48e1);
  consider("RAMB36", used.ramb36, part.has.ramb36);
  return most;
}

}  // namespace vta::sim
