// SPDX-License-Identifier: Apache-2.0
//
// What a core takes of an FPGA, without synthesis. DSP48E1 and RAMB36 are counted in vta-hlsc's
// report. LUT and FF are linear in the core's lanes and products, fitted to yosys' mapping of whole
// cores (README.md has the fit and its errors).
#ifndef VTA_SIM_ANALYSIS_EXPLORE_RESOURCE_ESTIMATE_H_
#define VTA_SIM_ANALYSIS_EXPLORE_RESOURCE_ESTIMATE_H_

#include <string>

#include "configs/core_config.h"
#include "configs/parts.h"

namespace vta::sim {

// `report_json`: of `vta-hlsc report --json`. Errors: kCorrupt for another text.
FpgaResources estimate_resources(const CoreConfig& core, const std::string& report_json);

// The largest share of a part's resources, and which it is: "LUT", "FF", "DSP48E1", "RAMB36". A
// design with a share of more than 1 does not fit.
struct PartShare {
  double share = 0;
  const char* resource = "";
};
PartShare share_of(const FpgaPart& part, const FpgaResources& used);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_RESOURCE_ESTIMATE_H_
