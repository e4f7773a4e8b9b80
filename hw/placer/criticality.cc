// SPDX-License-Identifier: Apache-2.0
#include "hw/placer/criticality.h"

#include <algorithm>

namespace vta::placer {
namespace {

// Typical of speed grade -1. A carry chain takes little time from slice to slice.
constexpr float kLogicPs = 150, kCarryPs = 100, kInSlicePs = 150, kToOutputPs = 450, kSetupPs = 100;

}  // namespace

Criticality::Criticality(const Placement& placement)
    : placement_(placement),
      nets_of_cell_(placement.cells.size()),
      arrival_ps_(placement.cells.size()),
      rest_ps_(placement.cells.size()) {
  std::vector<int32_t> missing(placement.cells.size());  // inputs that have no order yet
  for (size_t net = 0; net < placement.nets.size(); ++net) {
    nets_of_cell_[static_cast<size_t>(placement.nets[net].driver)].push_back(
        static_cast<int32_t>(net));
    shares_.emplace_back(placement.nets[net].sinks.size());
    for (const Sink& sink : placement.nets[net].sinks)
      if (!sink.ends_paths) ++missing[static_cast<size_t>(sink.cell)];
  }
  order_nets(std::move(missing));
}

// Kahn's order.
void Criticality::order_nets(std::vector<int32_t> missing) {
  std::vector<size_t> ready;
  std::vector<uint8_t> is_done(missing.size());
  const auto add = [&](size_t cell) {
    if (is_done[cell] == 0) ready.push_back(cell);
    is_done[cell] = 1;
  };
  for (size_t cell = 0; cell < missing.size(); ++cell)
    if (missing[cell] == 0) add(cell);
  for (size_t first_left = 0;;) {
    while (!ready.empty()) {
      const size_t cell = ready.back();
      ready.pop_back();
      for (const int32_t net : nets_of_cell_[cell]) {
        order_.push_back(net);
        for (const Sink& sink : placement_.nets[static_cast<size_t>(net)].sinks)
          if (!sink.ends_paths && --missing[static_cast<size_t>(sink.cell)] == 0)
            add(static_cast<size_t>(sink.cell));
      }
    }
    while (first_left < is_done.size() && is_done[first_left] != 0) ++first_left;
    if (first_left == is_done.size()) break;
    add(first_left);  // in a loop
  }
}

// With the delay of the logic at its end.
float Criticality::connection_ps(const Net& net, const Sink& sink,
                                 const std::vector<Point>& points) const {
  const Cell& from = placement_.cells[static_cast<size_t>(net.driver)];
  const Cell& to = placement_.cells[static_cast<size_t>(sink.cell)];
  if (from.is_carry && to.is_carry) return kCarryPs;
  const float wire_ps = from.unit == to.unit ? kInSlicePs
                                             : delay_ps(points[static_cast<size_t>(from.unit)],
                                                        points[static_cast<size_t>(to.unit)]);
  return wire_ps + (sink.ends_paths ? kSetupPs : kLogicPs);
}

float Criticality::update(const std::vector<Point>& points) {
  std::ranges::fill(arrival_ps_, kToOutputPs);
  for (const int32_t number : order_) {
    const Net& net = placement_.nets[static_cast<size_t>(number)];
    const float arrival = arrival_ps_[static_cast<size_t>(net.driver)];
    for (const Sink& sink : net.sinks) {
      float& after = arrival_ps_[static_cast<size_t>(sink.cell)];
      if (!sink.ends_paths) after = std::max(after, arrival + connection_ps(net, sink, points));
    }
  }
  float longest = 1;
  std::ranges::fill(rest_ps_, 0.0F);
  for (auto number = order_.rbegin(); number != order_.rend(); ++number) {
    const Net& net = placement_.nets[static_cast<size_t>(*number)];
    float& before = rest_ps_[static_cast<size_t>(net.driver)];
    auto& shares = shares_[static_cast<size_t>(*number)];
    for (size_t i = 0; i < net.sinks.size(); ++i) {
      const Sink& sink = net.sinks[i];
      const float rest = connection_ps(net, sink, points) +
                         (sink.ends_paths ? 0 : rest_ps_[static_cast<size_t>(sink.cell)]);
      shares[i] = arrival_ps_[static_cast<size_t>(net.driver)] + rest;
      longest = std::max(longest, shares[i]);
      before = std::max(before, rest);
    }
  }
  for (auto& shares : shares_)
    for (float& share : shares) share /= longest;
  return longest;
}

}  // namespace vta::placer
