// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/switch_delays.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/errors/error.h"
#include "base/errors/printable.h"
#include "base/files/file.h"
#include "base/files/strict_json.h"
#include "base/numbers/parse_number.h"

namespace vta::router {
namespace {

constexpr float kUnknownPs = 100;

// Numbers are texts there. Errors: kCorrupt.
float number_in(const nlohmann::json& json) {
  const auto text = json.get<std::string>();
  if (const auto number = parse_number<float>(text)) return *number;
  fail(ErrorCode::kCorrupt, "expected a number, got '{}'", printable_line(text.substr(0, 40)));
}

float ps_of(const nlohmann::json& ns) { return number_in(ns) * 1000; }

float number_or_0(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() || found->is_null() ? 0 : number_in(*found);
}

// Reads one direction of a switch, or a site's pin. Errors: of nlohmann::json.
SwitchTiming timing_of(const nlohmann::json& json, const char* capacitance, bool is_buffer) {
  const nlohmann::json& delay = json.at("delay");
  const CornerDelays delays =
      !delay.is_null() ? CornerDelays{ps_of(delay.at(0)), ps_of(delay.at(1)), ps_of(delay.at(2)),
                                      ps_of(delay.at(3))}
                       : (is_buffer ? CornerDelays{0, kUnknownPs, 0, kUnknownPs} : CornerDelays{});
  return {delays, number_or_0(json, "res"), number_or_0(json, capacitance), is_buffer};
}

// The database writes 0 and 1 as numbers and as texts.
bool is_set(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && (*found == 1 || *found == "1");
}

// Calls read() with the contents of a file. Errors: kIo, kCorrupt.
template <typename Read>
void read_json(const std::filesystem::path& file, Read&& read) {
  const std::vector<uint8_t> bytes = read_file(file);
  with_json_errors(file.string() + ": not a file of the database",
                   [&] { read(nlohmann::json::parse(bytes)); });
}

std::string key_of(std::string_view source, std::string_view target) {
  return fmt::format("{}>{}", source, target);
}

}  // namespace

float rc_ps(float ohm, float ff) {
  constexpr float kOhmFemtoFaradPerPs = 1000;
  return ohm * ff / kOhmFemtoFaradPerPs;
}

CornerDelays operator+(const CornerDelays& a, const CornerDelays& b) {
  return {a.fast_min + b.fast_min, a.fast_max + b.fast_max, a.slow_min + b.slow_min,
          a.slow_max + b.slow_max};
}

SwitchDelays::SwitchDelays(std::filesystem::path database, std::string_view chip)
    : database_(std::move(database)), chip_folder_(database_ / chip) {
  read_json(chip_folder_ / "tilegrid.json", [&](const nlohmann::json& json) {
    for (const auto& tile : json)
      type_at_[{tile.at("grid_x"), tile.at("grid_y")}] = tile.at("type");
  });
  read_links();
}

void SwitchDelays::read_links() {
  read_json(chip_folder_ / "tileconn.json", [&](const nlohmann::json& json) {
    for (const auto& entry : json) {
      const int dx = entry.at("grid_deltas").at(0), dy = entry.at("grid_deltas").at(1);
      const std::string a = entry.at("tile_types").at(0), b = entry.at("tile_types").at(1);
      for (const auto& pair : entry.at("wire_pairs")) {
        const std::string wire_a = pair.at(0), wire_b = pair.at(1);
        links_[a + ' ' + wire_a].push_back({dx, dy, b, wire_b});
        links_[b + ' ' + wire_b].push_back({-dx, -dy, a, wire_a});
      }
    }
  });
}

const SwitchDelays::TileType& SwitchDelays::tile_type(const std::string& name) {
  if (const auto found = types_.find(name); found != types_.end()) return found->second;
  TileType type;
  read_json(database_ / fmt::format("tile_type_{}.json", name), [&](const nlohmann::json& json) {
    for (const auto& pip : json.at("pips")) {
      const std::string source = pip.at("src_wire"), target = pip.at("dst_wire");
      const bool is_buffer = !is_set(pip, "is_pass_transistor");
      const auto add = [&](const std::string& from, const std::string& to, const char* direction) {
        type.switches.emplace(key_of(from, to), timing_of(pip.at(direction), "in_cap", is_buffer));
      };
      add(source, target, "src_to_dst");
      if (!is_set(pip, "is_directional")) add(target, source, "dst_to_src");
    }
    for (const auto& [wire, timing] : json.at("wires").items())
      if (!timing.is_null())
        type.wires.emplace(wire,
                           ConductorTiming{number_or_0(timing, "res"), number_or_0(timing, "cap")});
    for (const auto& site : json.at("sites"))
      for (const auto& pin : site.at("site_pins"))
        if (!pin.is_null() && pin.contains("delay"))
          type.pins.emplace(pin.at("wire"), timing_of(pin, "cap", true));
  });
  return types_.emplace(name, std::move(type)).first->second;
}

const std::string& SwitchDelays::type_at(Place place) const {
  const auto found = type_at_.find(place);
  if (found == type_at_.end())
    fail(ErrorCode::kNotFound, "{}: no tile at X{}Y{}", chip_folder_.string(), place.first,
         place.second);
  return found->second;
}

// All wires that links lead to.
std::vector<SwitchDelays::Wire> SwitchDelays::wires_of(const Wire& wire) const {
  std::set<Wire> seen{wire};
  std::vector<Wire> queue{wire};
  for (size_t at = 0; at < queue.size(); ++at) {
    const auto [place, name] = queue[at];
    const auto links = links_.find(type_at(place) + ' ' + name);
    if (links == links_.end()) continue;
    for (const Link& link : links->second) {
      const Wire next{{place.first + link.dx, place.second + link.dy}, link.wire};
      const auto there = type_at_.find(next.first);
      if (there == type_at_.end() || there->second != link.type) continue;
      if (seen.insert(next).second) queue.push_back(next);
    }
  }
  return queue;
}

const ConductorTiming& SwitchDelays::conductor(const Wire& wire) {
  if (const auto found = conductors_.find(wire); found != conductors_.end()) return found->second;
  return conductors_[wire] = whole({wire.first.first, wire.first.second}, wire.second);
}

ConductorTiming SwitchDelays::whole(Point tile, std::string_view wire) {
  ConductorTiming sum;
  for (const auto& [place, name] : wires_of({{tile.x, tile.y}, std::string(wire)})) {
    const ConductorTiming here = part({place.first, place.second}, name);
    sum.ohm += here.ohm;
    sum.ff += here.ff;
  }
  return sum;
}

CornerDelays with_conductor(const SwitchTiming& driver, const ConductorTiming& driven) {
  const float ps = rc_ps(driver.ohm + driven.ohm / 2, driven.ff);
  return driver.delays + CornerDelays{ps, ps, ps, ps};
}

SwitchTiming SwitchDelays::timing(const Switch& found) {
  return timing(found.tile, found.kind, found.source_wire, found.target_wire);
}

SwitchTiming SwitchDelays::timing(Point tile, Switch::Kind kind, std::string_view source,
                                  std::string_view target) {
  if (kind == Switch::Kind::kInSite) return {};
  const TileType& type = tile_type(type_at({tile.x, tile.y}));
  if (kind == Switch::Kind::kOfTile) {
    const auto at = type.switches.find(key_of(source, target));
    return at != type.switches.end() ? at->second
                                     : SwitchTiming{{0, kUnknownPs, 0, kUnknownPs}, 0, 0, true};
  }
  const auto pin = type.pins.find(std::string(kind == Switch::Kind::kIntoSite ? source : target));
  return pin != type.pins.end() ? pin->second : SwitchTiming{};
}

ConductorTiming SwitchDelays::driven(const Switch& found) {
  if (found.kind == Switch::Kind::kInSite || found.kind == Switch::Kind::kIntoSite) return {};
  return conductor({{found.tile.x, found.tile.y}, std::string(found.target_wire)});
}

ConductorTiming SwitchDelays::part(Point tile, std::string_view wire) {
  const TileType& type = tile_type(type_at({tile.x, tile.y}));
  const auto found = type.wires.find(std::string(wire));
  return found != type.wires.end() ? found->second : ConductorTiming{};
}

}  // namespace vta::router
