// SPDX-License-Identifier: Apache-2.0
//
// What hw/fpga/flow/nextpnr_hook.py and vta-place exchange: a placed netlist, and new places.
#ifndef VTA_HW_FPGA_PLACER_PLACEMENT_FILE_H_
#define VTA_HW_FPGA_PLACER_PLACEMENT_FILE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "hw/fpga/placer/placement.h"

namespace vta::placer {

struct PlacementFile {
  Placement placement;
  std::vector<std::string> bels;  // by cell, as read
};

// {"cells": [{"bel": "X12Y34/SLICE_X0Y0.AFF", "is_memory": false, "launch_ps": 456,
//             "is_fixed": false, "control": 3}],
//  "nets": [{"driver": 0, "sinks": [[1, 124, false], [2, 57, true]]}], "carries": [[0, 1]]}: cells
// by number; a sink is a cell, the delay of its logic in ps and whether paths end there; `carries`
// are cells of a carry chain with the next one. Cells that are fixed stay: DSPs with cascades.
// Flip-flops with the same `control` have the same clock, enable and reset. Both may be left out.
// `sites`: of the chip. Errors: kIo, kCorrupt, also for cells where the chip has no site, and
// memory in slices without.
PlacementFile read_placement(const std::filesystem::path& file, std::vector<Site> sites);

// {"bels": ["X12Y35/SLICE_X0Y0.A6LUT"]}, by cell. Errors: kIo.
void write_places(const std::filesystem::path& file, const PlacementFile& placed);

}  // namespace vta::placer

#endif  // VTA_HW_FPGA_PLACER_PLACEMENT_FILE_H_
