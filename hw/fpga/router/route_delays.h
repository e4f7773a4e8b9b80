// SPDX-License-Identifier: Apache-2.0
//
// Delays of routed nets at both corners, for static timing with clock skew
// (hw/fpga/flow/sign_off.py).
#ifndef VTA_HW_FPGA_ROUTER_ROUTE_DELAYS_H_
#define VTA_HW_FPGA_ROUTER_ROUTE_DELAYS_H_

#include <string>
#include <vector>

#include "hw/fpga/router/chip_database.h"
#include "hw/fpga/router/design_file.h"
#include "hw/fpga/router/switch_delays.h"

namespace vta::router {

// The delays from the source of each net to its sinks, by the switches of its route, which may be
// in any order. A net of the design without a route is left out. Nets of global buffers keep
// their trees, so that the common part of two clock paths is known. Errors: kNotFound for names
// that the chip does not have, kCorrupt for two switches that drive one wire and for a sink that
// the route does not reach; the message names the net.
std::vector<NetDelays> route_delays(const ChipDatabase& chip, const PlacedDesign& design,
                                    const std::vector<NetRoute>& routes, SwitchDelays& delays);

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_ROUTE_DELAYS_H_
