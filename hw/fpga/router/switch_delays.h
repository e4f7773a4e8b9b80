// SPDX-License-Identifier: Apache-2.0
//
// Delays of switches and wires at both corners, from Project X-Ray's database. nextpnr's file of a
// chip has one minimum and one maximum only, and no resistances.
#ifndef VTA_HW_FPGA_ROUTER_SWITCH_DELAYS_H_
#define VTA_HW_FPGA_ROUTER_SWITCH_DELAYS_H_

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hw/fpga/router/chip_graph.h"

namespace vta::router {

// In ps.
struct CornerDelays {
  float fast_min = 0, fast_max = 0, slow_min = 0, slow_max = 0;
  bool operator==(const CornerDelays&) const = default;
};
CornerDelays operator+(const CornerDelays& a, const CornerDelays& b);
float rc_ps(float ohm, float ff);

// What drives a conductor. `is_buffer`: what follows does not load what precedes, but for
// `input_ff`.
struct SwitchTiming {
  CornerDelays delays;
  float ohm = 0, input_ff = 0;
  bool is_buffer = true;
};

// A conductor, or its wires in one tile.
struct ConductorTiming {
  float ohm = 0, ff = 0;
};

// Delays of a switch alone. Its resistance, and half of the conductor's, charge the conductor. All
// corners take the same time: the database has one resistance and one capacitance.
CornerDelays with_conductor(const SwitchTiming& driver, const ConductorTiming& driven);

class SwitchDelays {
 public:
  // `database`: the folder of a family, such as prjxray/database/zynq7; `chip`: such as xc7z020.
  // The file of a tile type is read when one of its switches or wires is looked up. Errors: kIo,
  // kCorrupt.
  SwitchDelays(std::filesystem::path database, std::string_view chip);

  // Those below have errors kIo, kCorrupt, and kNotFound for a place without a tile.

  // Between a site and its tile it is the site's pin: an output has a resistance; an input has
  // delays, those of a LUT's inputs included, which differ by pin. Switches within sites take no
  // time: they belong to the cells (hw/fpga/flow/cell_times.py). A pass transistor has a resistance
  // only; a buffer without an entry takes 0 to 100 ps.
  SwitchTiming timing(const Switch& found);
  SwitchTiming timing(Point tile, Switch::Kind kind, std::string_view source,
                      std::string_view target);
  // The conductor that a switch drives.
  ConductorTiming driven(const Switch& found);
  // A conductor's wire in one tile.
  ConductorTiming part(Point tile, std::string_view wire);
  // All of a conductor, by one of its wires.
  ConductorTiming whole(Point tile, std::string_view wire);
  // Delays of a switch with the conductor that it drives, without the load after that conductor.
  CornerDelays of(const Switch& found) { return with_conductor(timing(found), driven(found)); }

 private:
  struct TileType {
    std::unordered_map<std::string, SwitchTiming> switches;  // by "SOURCE>TARGET"
    std::unordered_map<std::string, ConductorTiming> wires;
    std::unordered_map<std::string, SwitchTiming> pins;  // of sites, by the tile's wire
  };
  // A wire in a neighbouring tile that is the same conductor.
  struct Link {
    int dx, dy;
    std::string type, wire;
  };
  using Place = std::pair<int, int>;
  using Wire = std::pair<Place, std::string>;

  const TileType& tile_type(const std::string& name);
  const std::string& type_at(Place place) const;
  void read_links();
  const ConductorTiming& conductor(const Wire& wire);
  std::vector<Wire> wires_of(const Wire& wire) const;

  const std::filesystem::path database_;
  const std::filesystem::path chip_folder_;
  std::map<Place, std::string> type_at_;
  std::map<std::string, TileType> types_;
  std::unordered_map<std::string, std::vector<Link>> links_;  // by "TYPE WIRE"
  std::map<Wire, ConductorTiming> conductors_;                // that were looked up
};

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_SWITCH_DELAYS_H_
