// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/placer/placement_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <tuple>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/strict_json.h"

namespace vta::placer {
namespace {

// How the names of bels begin, by the kind of their site; whether the site's number in its tile
// comes next. RAMB18_X0Y0 and RAMB18_X0Y1 are halves of one site.
struct Pattern {
  std::string_view start;
  SiteKind kind;
  bool has_number;
};
constexpr std::array<Pattern, 3> kPatterns = {{{"SLICE_X", SiteKind::kSlice, true},
                                               {"DSP48_X0Y", SiteKind::kDsp, true},
                                               {"RAMB", SiteKind::kBlockRam, false}}};

// "X12Y34/SLICE_X0Y0.A6LUT": the site, and what is before and after its number.
struct BelName {
  Point tile;
  std::optional<SiteKind> kind;  // none: a cell that stays
  int number = 0;
  std::string before, after;
};

BelName parsed(const std::string& bel) {
  BelName name;
  int count = 0;
  if (std::sscanf(bel.c_str(), "X%dY%d/%n", &name.tile.x, &name.tile.y, &count) != 2 || count == 0)
    fail(ErrorCode::kCorrupt, "{} does not name the place of a cell", bel);
  const std::string in_tile = bel.substr(static_cast<size_t>(count));
  for (const Pattern& pattern : kPatterns) {
    const size_t at = pattern.start.size();
    if (!in_tile.starts_with(pattern.start) || in_tile.size() == at) continue;
    name.kind = pattern.kind;
    name.before = pattern.has_number ? std::string(pattern.start) : in_tile;
    if (!pattern.has_number) continue;
    name.number = in_tile[at] - '0';
    name.after = in_tile.substr(at + 1);
  }
  return name;
}

constexpr size_t kSlotLetter = 3;  // in "Y0.A6LUT", what comes after the number of a slice

// `after`: as in BelName, of a slice's cell.
void set_part(const std::string& after, Cell& cell) {
  cell.is_multiplexer = after.ends_with("MUX");
  cell.shares_output = cell.is_multiplexer || after.ends_with("CARRY4") ||
                       after.ends_with("5LUT") || after.ends_with("5FF");
  if (after.size() <= kSlotLetter) return;
  cell.slot = after[kSlotLetter] - 'A';
  const std::string_view rest = std::string_view(after).substr(kSlotLetter + 1);
  if (rest == "6LUT" || rest == "5LUT") cell.part = Part::kLut;
  if (rest == "FF") cell.part = Part::kFlipFlop;
  if (rest == "5FF") cell.part = Part::kSecondFlipFlop;
}

std::string bel_at(const Site& site, const BelName& name) {
  int number = site.number;
  std::string after = name.after;
  if (site.kind == SiteKind::kLuts || site.kind == SiteKind::kFlipFlops) {
    after[kSlotLetter] = static_cast<char>('A' + number % kSlots);
    number /= kSlots;
  }
  const std::string digits = site.kind == SiteKind::kBlockRam ? "" : std::to_string(number);
  return fmt::format("X{}Y{}/{}{}{}", site.tile.x, site.tile.y, name.before, digits, after);
}

class Reader {
 public:
  explicit Reader(std::vector<Site> sites) {
    for (size_t site = 0; site < sites.size(); ++site) {
      const Site& at = sites[site];
      site_at_[{at.kind, at.tile.x, at.tile.y, at.number}] = static_cast<int32_t>(site);
    }
    result_.placement.sites = std::move(sites);
  }

  PlacementFile read(const nlohmann::json& json) {
    for (const auto& cell : json.at("cells")) {
      add_cell(cell.at("bel"), cell.at("is_memory"), cell.value("is_fixed", false));
      result_.placement.cells.back().launch_ps = cell.at("launch_ps");
      result_.placement.cells.back().control = cell.value("control", -1);
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

  void add_cell(const std::string& bel, bool is_memory, bool is_fixed) {
    Placement& placement = result_.placement;
    const BelName name = parsed(bel);
    const auto next = static_cast<int32_t>(placement.units.size());
    const int32_t site = is_fixed ? -1 : site_of(bel, name);
    const int32_t number = site < 0 ? next : unit_at_.try_emplace(site, next).first->second;
    if (number == next) placement.units.push_back({site, name.tile, false, -1});
    if (is_memory) need_memory(bel, placement.units[static_cast<size_t>(number)]);
    placement.cells.push_back({number, false});
    if (name.kind == SiteKind::kSlice) set_part(name.after, placement.cells.back());
    result_.bels.push_back(bel);
  }

  int32_t site_of(const std::string& bel, const BelName& name) const {
    if (!name.kind) return -1;
    const auto site = site_at_.find({*name.kind, name.tile.x, name.tile.y, name.number});
    if (site == site_at_.end()) fail(ErrorCode::kCorrupt, "the chip has no site for {}", bel);
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
  std::map<std::tuple<SiteKind, int, int, int>, int32_t> site_at_;  // by kind, tile and number
  std::map<int32_t, int32_t> unit_at_;                              // by site
  std::map<int32_t, int32_t> next_;                                 // unit of a carry chain
};

}  // namespace

PlacementFile read_placement(const std::filesystem::path& file, std::vector<Site> sites) {
  const std::vector<uint8_t> bytes = read_file(file);
  return with_context(file.string(), [&] {
    std::optional<PlacementFile> placed;
    with_json_errors("not a placed netlist",
                     [&] { placed = Reader(std::move(sites)).read(nlohmann::json::parse(bytes)); });
    return std::move(*placed);
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
    bels.push_back(bel_at(site, parsed(placed.bels[cell])));
  }
  write_file(file, nlohmann::json{{"bels", std::move(bels)}}.dump());
}

}  // namespace vta::placer
