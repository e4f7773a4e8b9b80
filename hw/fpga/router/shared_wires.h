// SPDX-License-Identifier: Apache-2.0
//
// Wires that several nets have when the router gives up, and a report of them.
#ifndef VTA_HW_FPGA_ROUTER_SHARED_WIRES_H_
#define VTA_HW_FPGA_ROUTER_SHARED_WIRES_H_

#include <functional>
#include <string>
#include <vector>

#include "hw/fpga/router/design_file.h"
#include "hw/fpga/router/path_finder.h"

namespace vta::router {

// `pins`: the sinks that the net reaches through the wire, as CELL.PORT, or their wires if the
// design does not name pins.
struct SharingNet {
  std::string name;
  std::vector<std::string> pins;
};

struct SharedWire {
  std::string name;  // "X12Y34/WIRE": its tile and the wire
  std::vector<SharingNet> nets;
};

struct WireNames {
  std::function<std::string(Node)> name_of;
  std::function<Node(const std::string&)> node_of;
};

// By name. `nets`: the finder's nets, in its order.
std::vector<SharedWire> shared_wires(const PathFinder& finder, const std::vector<PlacedNet>& nets,
                                     const WireNames& names);

// How many wires there are of each kind (names without numbers), then the wires with their nets and
// pins. At most 10 kinds, 50 wires, 4 nets of each and 4 pins of each net; what is left out is
// counted.
std::string report(const std::vector<SharedWire>& wires);

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_SHARED_WIRES_H_
