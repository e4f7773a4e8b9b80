// SPDX-License-Identifier: Apache-2.0
#include "hw/placer/placement_file.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "runtime/base/error.h"
#include "runtime/base/file.h"

namespace vta::placer {
namespace {

// A bel's name: "X12Y34/SLICE_X0Y0.A6LUT", or without a slice.
struct BelName {
  Point tile;
  int slice = -1;
  std::string rest;  // after the slice's name, with its dot
};

BelName parsed(const std::string& bel) {
  BelName name;
  int count = 0;
  if (std::sscanf(bel.c_str(), "X%dY%d/%n", &name.tile.x, &name.tile.y, &count) != 2 || count == 0)
    fail(ErrorCode::kCorrupt, "{} does not name the place of a cell", bel);
  int slice = 0, length = 0;
  if (std::sscanf(bel.c_str() + count, "SLICE_X%dY0%n", &slice, &length) == 1 && length > 0) {
    name.slice = slice;
    name.rest = bel.substr(static_cast<size_t>(count + length));
  }
  return name;
}

class Reader {
 public:
  explicit Reader(std::vector<Site> sites) {
    for (size_t site = 0; site < sites.size(); ++site) {
      const Site& at = sites[site];
      site_at_[{at.tile.x, at.tile.y, at.slice}] = static_cast<int32_t>(site);
    }
    result_.placement.sites = std::move(sites);
  }

  PlacementFile read(const nlohmann::json& json) {
    for (const auto& cell : json.at("cells")) {
      add_cell(cell.at("bel"), cell.at("is_memory"));
      result_.placement.cells.back().launch_ps = cell.at("launch_ps");
    }
    for (const auto& net : json.at("nets")) {
      Net read{cell_number(net.at("driver")), {}};
      for (const auto& sink : net.at("sinks"))
        read.sinks.push_back({cell_number(sink.at(0)), sink.at(1), sink.at(2)});
      result_.placement.nets.push_back(std::move(read));
    }
    for (const auto& carry : json.at("carries")) {
      for (const auto& cell : carry) cell_at(cell).is_carry = true;
      next_[cell_at(carry.at(0)).unit] = cell_at(carry.at(1)).unit;
    }
    add_chains();
    return std::move(result_);
  }

 private:
  int32_t cell_number(int64_t number) const {
    if (number < 0 || number >= static_cast<int64_t>(result_.bels.size()))
      fail(ErrorCode::kCorrupt, "there is no cell {}", number);
    return static_cast<int32_t>(number);
  }
  Cell& cell_at(int64_t number) {
    return result_.placement.cells[static_cast<size_t>(cell_number(number))];
  }

  void add_cell(const std::string& bel, bool is_memory) {
    Placement& placement = result_.placement;
    const BelName name = parsed(bel);
    const auto next = static_cast<int32_t>(placement.units.size());
    int32_t number = next;
    if (name.slice >= 0)
      number = unit_at_.try_emplace({name.tile.x, name.tile.y, name.slice}, next).first->second;
    if (number == next) placement.units.push_back({site_of(bel, name), name.tile, false, -1});
    if (is_memory) need_memory(bel, placement.units[static_cast<size_t>(number)]);
    placement.cells.push_back({number, false});
    result_.bels.push_back(bel);
  }

  int32_t site_of(const std::string& bel, const BelName& name) const {
    if (name.slice < 0) return -1;
    const auto site = site_at_.find({name.tile.x, name.tile.y, name.slice});
    if (site == site_at_.end()) fail(ErrorCode::kCorrupt, "the chip has no slice for {}", bel);
    return site->second;
  }

  void need_memory(const std::string& bel, Unit& unit) const {
    if (unit.site < 0 || !result_.placement.sites[static_cast<size_t>(unit.site)].has_memory)
      fail(ErrorCode::kCorrupt, "a memory is at {}, a slice without", bel);
    unit.needs_memory = true;
  }

  void add_chains() {
    std::map<int32_t, int32_t> before;
    for (const auto& [unit, next] : next_) before[next] = unit;
    for (const auto& [first, second] : next_) {
      if (before.contains(first)) continue;
      std::vector<int32_t> chain{first};
      for (auto at = next_.find(first); at != next_.end(); at = next_.find(at->second))
        chain.push_back(at->second);
      for (const int32_t unit : chain)
        result_.placement.units[static_cast<size_t>(unit)].chain =
            static_cast<int32_t>(result_.placement.chains.size());
      result_.placement.chains.push_back(std::move(chain));
    }
  }

  PlacementFile result_;
  std::map<std::tuple<int, int, int>, int32_t> site_at_, unit_at_;  // by tile and slice
  std::map<int32_t, int32_t> next_;                                 // unit of a carry chain
};

}  // namespace

PlacementFile read_placement(const std::filesystem::path& file, std::vector<Site> sites) {
  const std::vector<uint8_t> bytes = read_file(file);
  return with_context(file.string(), [&] {
    try {
      return Reader(std::move(sites)).read(nlohmann::json::parse(bytes));
    } catch (const nlohmann::json::exception& error) {
      fail(ErrorCode::kCorrupt, "not a placed netlist: {}", error.what());
    }
  });
}

void write_places(const std::filesystem::path& file, const PlacementFile& placed) {
  const Placement& placement = placed.placement;
  auto bels = nlohmann::json::array();
  for (size_t cell = 0; cell < placed.bels.size(); ++cell) {
    const Unit& unit = placement.units[static_cast<size_t>(placement.cells[cell].unit)];
    if (unit.site < 0) {
      bels.push_back(placed.bels[cell]);
      continue;
    }
    const Site& site = placement.sites[static_cast<size_t>(unit.site)];
    bels.push_back(fmt::format("X{}Y{}/SLICE_X{}Y0{}", site.tile.x, site.tile.y, site.slice,
                               parsed(placed.bels[cell]).rest));
  }
  write_file(file, nlohmann::json{{"bels", std::move(bels)}}.dump());
}

}  // namespace vta::placer
