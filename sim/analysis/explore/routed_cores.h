// SPDX-License-Identifier: Apache-2.0
//
// The cores of configs/cores that hw/fpga/boards/timing has a routed clock of; generated at build
// time.
#ifndef VTA_SIM_ANALYSIS_EXPLORE_ROUTED_CORES_H_
#define VTA_SIM_ANALYSIS_EXPLORE_ROUTED_CORES_H_

#include <span>

namespace vta::sim {

struct RoutedCore {
  const char* name;
  double mhz;
  const char* verilog_sha256;  // of what was routed; "" if the table does not have it
};

std::span<const RoutedCore> routed_cores();

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_ROUTED_CORES_H_
