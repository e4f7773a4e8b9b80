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

class SwitchDelays {
 public:
  // `database`: the folder of a family, such as prjxray/database/zynq7; `chip`: such as xc7z020.
  // The file of a tile type is read when one of its switches or wires is looked up. Errors: kIo,
  // kCorrupt.
  SwitchDelays(std::filesystem::path database, std::string_view chip);

  // With the conductor that the switch drives: its own resistance and half that of the conductor
  // charge the conductor's capacitance, at all corners in the same time, because the database has
  // one resistance and one capacitance. Switches of sites take no time: they belong to the cells
  // (hw/fpga/flow/cell_times.py). A switch without a delay takes 0 to 100 ps. Errors: kIo,
  // kCorrupt, kNotFound for a place without a tile.
  CornerDelays of(const Switch& found);

 private:
  struct SwitchType {
    CornerDelays delays;
    float ohm;
  };
  struct Conductor {
    float ohm = 0, ff = 0;
  };
  struct TileType {
    std::unordered_map<std::string, SwitchType> switches;  // by "SOURCE>TARGET"
    std::unordered_map<std::string, Conductor> wires;
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
  const Conductor& conductor(const Wire& wire);
  std::vector<Wire> wires_of(const Wire& wire) const;

  const std::filesystem::path database_;
  const std::filesystem::path chip_folder_;
  std::map<Place, std::string> type_at_;
  std::map<std::string, TileType> types_;
  std::unordered_map<std::string, std::vector<Link>> links_;  // by "TYPE WIRE"
  std::map<Wire, Conductor> conductors_;                      // that were looked up
};

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_SWITCH_DELAYS_H_
