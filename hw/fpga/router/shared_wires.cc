// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/shared_wires.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>

namespace vta::router {
namespace {

constexpr size_t kMaxKinds = 10, kMaxWires = 50, kMaxNets = 4, kMaxPins = 4;

std::string pin_name(const PlacedNet& net, size_t sink) {
  return net.pins.empty() ? net.sinks[sink] : net.pins[sink];
}

// The shared wires of one net's tree.
void add_net(const PathFinder& finder, size_t number, const PlacedNet& net, const WireNames& names,
             std::map<std::string, std::vector<SharingNet>>& shared) {
  const auto& tree = finder.tree(number);
  std::unordered_map<Node, int32_t> branches;
  std::map<int32_t, SharingNet> sharing;  // by branch
  for (size_t at = 0; at < tree.size(); ++at) {
    branches[tree[at].node] = static_cast<int32_t>(at);
    if (finder.is_shared(tree[at].node)) sharing[static_cast<int32_t>(at)] = {net.name, {}};
  }
  if (sharing.empty()) return;
  for (size_t sink = 0; sink < net.sinks.size(); ++sink) {
    const auto found = branches.find(names.node_of(net.sinks[sink]));
    for (int32_t at = found == branches.end() ? -1 : found->second; at >= 0;
         at = tree[static_cast<size_t>(at)].driver)
      if (const auto wire = sharing.find(at); wire != sharing.end())
        wire->second.pins.push_back(pin_name(net, sink));
  }
  for (auto& [at, of_net] : sharing)
    shared[names.name_of(tree[static_cast<size_t>(at)].node)].push_back(std::move(of_net));
}

// The wire's name without its tile and the numbers.
std::string kind_of(const std::string& wire) {
  std::string kind = wire.substr(wire.find('/') + 1);
  std::erase_if(kind, [](unsigned char letter) { return std::isdigit(letter) != 0; });
  return kind;
}

std::string kinds_text(const std::vector<SharedWire>& wires) {
  std::map<std::string, size_t> counts;
  for (const SharedWire& wire : wires) ++counts[kind_of(wire.name)];
  std::vector<std::pair<std::string, size_t>> kinds(counts.begin(), counts.end());
  std::ranges::sort(kinds, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::string text = "  kinds:";
  for (size_t at = 0; at < std::min(kinds.size(), kMaxKinds); ++at)
    text += fmt::format("{} {} {}", at == 0 ? "" : ",", kinds[at].second, kinds[at].first);
  if (kinds.size() > kMaxKinds) text += fmt::format(" and {} more", kinds.size() - kMaxKinds);
  return text;
}

std::string pins_text(const std::vector<std::string>& pins) {
  std::string text;
  for (size_t at = 0; at < std::min(pins.size(), kMaxPins); ++at) text += " " + pins[at];
  if (pins.size() > kMaxPins) text += fmt::format(" and {} more", pins.size() - kMaxPins);
  return text;
}

std::string wire_text(const SharedWire& wire) {
  std::string text = fmt::format("\n  {}: {} nets", wire.name, wire.nets.size());
  for (size_t at = 0; at < std::min(wire.nets.size(), kMaxNets); ++at)
    text += fmt::format("\n    {} to{}", wire.nets[at].name, pins_text(wire.nets[at].pins));
  if (wire.nets.size() > kMaxNets)
    text += fmt::format("\n    and {} more", wire.nets.size() - kMaxNets);
  return text;
}

}  // namespace

std::vector<SharedWire> shared_wires(const PathFinder& finder, const std::vector<PlacedNet>& nets,
                                     const WireNames& names) {
  std::map<std::string, std::vector<SharingNet>> shared;
  for (size_t net = 0; net < nets.size(); ++net) add_net(finder, net, nets[net], names, shared);
  std::vector<SharedWire> wires;
  for (auto& [name, of_wire] : shared) wires.push_back({name, std::move(of_wire)});
  return wires;
}

std::string report(const std::vector<SharedWire>& wires) {
  std::string text = kinds_text(wires);
  for (size_t at = 0; at < std::min(wires.size(), kMaxWires); ++at) text += wire_text(wires[at]);
  if (wires.size() > kMaxWires) text += fmt::format("\n  and {} more", wires.size() - kMaxWires);
  return text;
}

}  // namespace vta::router
