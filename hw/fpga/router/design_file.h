// SPDX-License-Identifier: Apache-2.0
//
// What hw/fpga/flow/nextpnr_hook.py and vta-route exchange: a placed design, and its routes.
#ifndef VTA_HW_FPGA_ROUTER_DESIGN_FILE_H_
#define VTA_HW_FPGA_ROUTER_DESIGN_FILE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "hw/fpga/router/chip_graph.h"
#include "hw/fpga/router/switch_delays.h"
#include "hw/fpga/router/timing_graph.h"

namespace vta::router {

// `source`: a wire, or for a constant VCC_WIRE or GND_WIRE, which every tile of the interconnect
// has.
struct PlacedNet {
  std::string name;
  std::string source;
  bool is_everywhere = false;
  std::vector<std::string> sinks;  // at least one
  std::vector<std::string> pins;   // by sink: CELL.PORT; or empty
  int32_t driver = -1;             // a cell
  std::vector<TimedSink> loads;    // by sink; or empty: without timing
};

struct PlacedDesign {
  std::vector<PlacedCell> cells;
  std::vector<PlacedNet> nets;
};

// {"cells": [{"bel": "X12Y34/A6LUT", "is_memory": false, "launch_ps": 0}],
//  "nets": [{"name": "n", "source": "X12Y34/W", "sinks": ["X1Y2/W"], "pins": [["cell", "I0"]],
//            "driver": 0, "loads": [[1, 124, false]]},
//           {"name": "one", "everywhere": "VCC_WIRE", "sinks": [..], "pins": [..]}]}.
// `driver`, `loads`: for timing; cells by number, for each sink its cell, the delay of the logic
// there in ps, and whether paths end there. Nets without are not timed.
// `pins`: for each sink its cell, and the port of the cell before nextpnr packed it, such as I0 or
// A[3]; for hw/fpga/flow/routed_timing.py and for the report of wires that several nets have.
// Optional. Errors: kIo, kCorrupt.
PlacedDesign read_placed_design(const std::filesystem::path& file);

struct SinkDelay {
  std::string wire;
  int ps = 0;  // from the net's source, slow corner
};

// The wires at which a net begins (one, but for constants), its switches in the order from there,
// and the delay to each of its sink wires.
struct NetRoute {
  std::string name;
  std::vector<std::string> sources;
  std::vector<std::string> switches;
  std::vector<SinkDelay> delays;
};

// {"nets": [{"name": "n", "sources": ["X12Y34/W"], "switches": ["X12Y34/TARGET/SOURCE"],
//            "delays": [["X1Y2/W", 843]]}]}. Errors: kIo.
void write_routes(const std::filesystem::path& file, const std::vector<NetRoute>& routes);

// Reads what write_routes() or nextpnr's netlist has (hw/fpga/flow/routed_wires.py): `name` and
// `switches` of each net, others where they are there. Errors: kIo, kCorrupt.
std::vector<NetRoute> read_routes(const std::filesystem::path& file);

// A connection that needs at least `fast_ps` more at the fast corner.
struct LongerSink {
  std::string net, wire;
  int fast_ps = 0;
};

// {"sinks": [["n", "X1Y2/W", 120]]}. Errors: kIo, kCorrupt.
std::vector<LongerSink> read_longer_sinks(const std::filesystem::path& file);

// Delays from the net's source. `branches`: of nets of global buffers all wires that a switch
// drives, otherwise those of the sinks. `driver`: a branch, or -1 for the source.
struct NetDelays {
  struct Branch {
    int32_t driver;
    CornerDelays delays;
  };
  struct Sink {
    std::string wire;
    int32_t branch;  // -1: the source itself
  };
  std::string name;
  std::vector<Branch> branches;
  std::vector<Sink> sinks;
};

// {"nets": [{"name": "n", "branches": [[-1, 100, 120, 300, 330]], "sinks": [["X1Y2/W", 0]]}]}; a
// branch: its driver, and fast min, fast max, slow min and slow max in ps. Errors: kIo.
void write_delays(const std::filesystem::path& file, const std::vector<NetDelays>& nets);

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_DESIGN_FILE_H_
