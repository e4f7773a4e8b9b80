// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/design_file.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/strict_json.h"

namespace vta::router {
namespace {

PlacedNet net_of(const nlohmann::json& json) {
  PlacedNet net{json.at("name"), "", json.contains("everywhere"), json.at("sinks"), {}};
  net.source = json.at(net.is_everywhere ? "everywhere" : "source");
  if (json.contains("pins"))
    for (const auto& pin : json.at("pins"))
      net.pins.push_back(pin.at(0).get<std::string>() + "." + pin.at(1).get<std::string>());
  if (json.contains("loads")) {
    net.driver = json.at("driver");
    for (const auto& load : json.at("loads"))
      net.loads.push_back({load.at(0), load.at(1), load.at(2)});
  }
  return net;
}

NetRoute route_of(const nlohmann::json& json) {
  NetRoute route{json.at("name"), {}, json.at("switches"), {}};
  if (json.contains("sources")) route.sources = json.at("sources");
  if (json.contains("delays"))
    for (const auto& delay : json.at("delays")) route.delays.push_back({delay.at(0), delay.at(1)});
  return route;
}

void check_loads(const PlacedNet& net, size_t cells) {
  const auto check_cell = [&](int32_t cell) {
    if (cell < 0 || static_cast<size_t>(cell) >= cells)
      fail(ErrorCode::kCorrupt, "net {} has cell {} of {}", net.name, cell, cells);
  };
  check_cell(net.driver);
  for (const TimedSink& load : net.loads) check_cell(load.cell);
}

void check(const PlacedNet& net, size_t cells) {
  const size_t sinks = net.sinks.size();
  if (sinks == 0) fail(ErrorCode::kCorrupt, "net {} has no sinks", net.name);
  if (!net.pins.empty() && net.pins.size() != sinks)
    fail(ErrorCode::kCorrupt, "net {} has {} sinks and {} pins", net.name, sinks, net.pins.size());
  if (net.loads.empty()) return;
  if (net.loads.size() != sinks)
    fail(ErrorCode::kCorrupt, "net {} has {} sinks and {} loads", net.name, sinks,
         net.loads.size());
  check_loads(net, cells);
}

}  // namespace

PlacedDesign read_placed_design(const std::filesystem::path& file) {
  const std::vector<uint8_t> bytes = read_file(file);
  PlacedDesign design;
  with_json_errors(file.string() + ": not a placed design", [&] {
    const auto json = nlohmann::json::parse(bytes);
    for (const auto& cell : json.at("cells"))
      design.cells.push_back({cell.at("bel"), cell.at("is_memory"), cell.value("launch_ps", 0.0F)});
    for (const auto& net : json.at("nets")) design.nets.push_back(net_of(net));
  });
  with_context(file.string(), [&] {
    for (const PlacedNet& net : design.nets) check(net, design.cells.size());
  });
  return design;
}

void write_routes(const std::filesystem::path& file, const std::vector<NetRoute>& routes) {
  auto nets = nlohmann::json::array();
  for (const NetRoute& route : routes) {
    auto delays = nlohmann::json::array();
    for (const auto& [wire, ps] : route.delays) delays.push_back(nlohmann::json::array({wire, ps}));
    nets.push_back({{"name", route.name},
                    {"sources", route.sources},
                    {"switches", route.switches},
                    {"delays", std::move(delays)}});
  }
  write_file(file, nlohmann::json{{"nets", std::move(nets)}}.dump());
}

std::vector<NetRoute> read_routes(const std::filesystem::path& file) {
  const std::vector<uint8_t> bytes = read_file(file);
  std::vector<NetRoute> routes;
  with_json_errors(file.string() + ": not the routes of a design", [&] {
    const auto json = nlohmann::json::parse(bytes);
    for (const auto& net : json.at("nets")) routes.push_back(route_of(net));
  });
  return routes;
}

std::vector<LongerSink> read_longer_sinks(const std::filesystem::path& file) {
  const std::vector<uint8_t> bytes = read_file(file);
  std::vector<LongerSink> sinks;
  with_json_errors(file.string() + ": not a list of sinks", [&] {
    const auto json = nlohmann::json::parse(bytes);
    for (const auto& sink : json.at("sinks")) sinks.push_back({sink.at(0), sink.at(1), sink.at(2)});
  });
  return sinks;
}

void write_delays(const std::filesystem::path& file, const std::vector<NetDelays>& nets) {
  auto written = nlohmann::json::array();
  for (const NetDelays& net : nets) {
    auto branches = nlohmann::json::array(), sinks = nlohmann::json::array();
    for (const auto& [driver, delays] : net.branches)
      branches.push_back({driver, std::lround(delays.fast_min), std::lround(delays.fast_max),
                          std::lround(delays.slow_min), std::lround(delays.slow_max)});
    for (const auto& [wire, branch] : net.sinks)
      sinks.push_back(nlohmann::json::array({wire, branch}));
    written.push_back(
        {{"name", net.name}, {"branches", std::move(branches)}, {"sinks", std::move(sinks)}});
  }
  write_file(file, nlohmann::json{{"nets", std::move(written)}}.dump());
}

}  // namespace vta::router
