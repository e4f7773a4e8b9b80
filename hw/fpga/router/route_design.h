// SPDX-License-Identifier: Apache-2.0
//
// Routes a placed design.
#ifndef VTA_HW_FPGA_ROUTER_ROUTE_DESIGN_H_
#define VTA_HW_FPGA_ROUTER_ROUTE_DESIGN_H_

#include <functional>
#include <string>
#include <vector>

#include "hw/fpga/router/chip_database.h"
#include "hw/fpga/router/design_file.h"
#include "hw/fpga/router/path_finder.h"
#include "hw/fpga/router/shared_wires.h"
#include "hw/fpga/router/switch_delays.h"

namespace vta::router {

// `shared`: the wires that several nets still have after the last iteration. The design is routed
// if there are none.
struct RoutedDesign {
  std::vector<NetRoute> routes;
  std::vector<SharedWire> shared;
};

// `delays`: of switches and wires. Errors: as `delays`; kNotFound for names that the chip does not
// have, kUnsupported for a sink that no path reaches; the message names net and wire.
RoutedDesign route_design(const ChipDatabase& chip, const PlacedDesign& design,
                          SwitchDelays& delays, const RoutingOptions& options,
                          const std::function<void(const Iteration&)>& watch);

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_ROUTE_DESIGN_H_
