// SPDX-License-Identifier: Apache-2.0
//
// The cores of configs/cores that hw/fpga/boards/timing has a routed clock of, with the cells of
// their routed designs; generated at build time.
#ifndef VTA_SIM_ANALYSIS_EXPLORE_ROUTED_CORES_H_
#define VTA_SIM_ANALYSIS_EXPLORE_ROUTED_CORES_H_

#include <optional>
#include <span>

#include "configs/core_config.h"
#include "configs/parts.h"

namespace vta::sim {

struct RoutedCore {
  const char* name;
  double mhz;
  const char* verilog_sha256;              // of what was routed; "" if the table does not have it
  std::optional<FpgaResources> uses = {};  // nullopt if the table does not have them
};

std::span<const RoutedCore> routed_cores();

// What the routed design with a core of the same fields takes; nullopt if it is unknown.
std::optional<FpgaResources> routed_resources(const CoreConfig& core);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_ROUTED_CORES_H_
