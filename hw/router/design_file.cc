// SPDX-License-Identifier: Apache-2.0
#include "hw/router/design_file.h"

#include <nlohmann/json.hpp>

#include "runtime/base/error.h"
#include "runtime/base/file.h"

namespace vta::router {
namespace {

PlacedNet net_of(const nlohmann::json& json) {
  PlacedNet net{json.at("name"), "", json.contains("everywhere"), json.at("sinks"), {}};
  net.source = json.at(net.is_everywhere ? "everywhere" : "source");
  if (json.contains("pins"))
    for (const auto& pin : json.at("pins"))
      net.pins.push_back(pin.at(0).get<std::string>() + "." + pin.at(1).get<std::string>());
  return net;
}

}  // namespace

PlacedDesign read_placed_design(const std::filesystem::path& file) {
  const std::vector<uint8_t> bytes = read_file(file);
  PlacedDesign design;
  try {
    const auto json = nlohmann::json::parse(bytes);
    for (const auto& cell : json.at("cells"))
      design.cells.push_back({cell.at("bel"), cell.at("is_memory")});
    for (const auto& net : json.at("nets")) design.nets.push_back(net_of(net));
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorCode::kCorrupt, "{}: not a placed design: {}", file.string(), error.what());
  }
  for (const PlacedNet& net : design.nets)
    if (net.sinks.empty())
      fail(ErrorCode::kCorrupt, "{}: net {} has no sinks", file.string(), net.name);
    else if (!net.pins.empty() && net.pins.size() != net.sinks.size())
      fail(ErrorCode::kCorrupt, "{}: net {} has {} sinks and {} pins", file.string(), net.name,
           net.sinks.size(), net.pins.size());
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

}  // namespace vta::router
