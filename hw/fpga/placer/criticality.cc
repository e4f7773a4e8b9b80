// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/placer/criticality.h"

namespace vta::placer {
namespace {

// Wires within a slice lead to flip-flops, carries and multiplexers and take no time; others leave
// it.
constexpr float kInSlicePs = 0, kAroundPs = 400;
constexpr float kOutputMultiplexerPs = 200;

bool is_logic(const Cell& cell) { return cell.part == Part::kLut || cell.is_multiplexer; }

}  // namespace

Criticality::Criticality(const Placement& placement)
    : placement_(placement), graph_(router::launches_ps(placement.cells), placement.nets) {}

float Criticality::wire_ps(const Net& net, const Sink& sink,
                           const std::vector<Point>& points) const {
  const Cell& from = placement_.cells[static_cast<size_t>(net.driver)];
  const Cell& to = placement_.cells[static_cast<size_t>(sink.cell)];
  if (from.is_carry && to.is_carry) return 0;
  const float leave_ps = from.shares_output ? kOutputMultiplexerPs : 0;
  if (from.unit == to.unit || placement_.units[static_cast<size_t>(from.unit)].partner == to.unit) {
    const bool stays = sink.ends_paths || to.is_carry || (to.is_multiplexer && is_logic(from));
    return stays ? kInSlicePs : kAroundPs + leave_ps;
  }
  return leave_ps +
         delay_ps(points[static_cast<size_t>(from.unit)], points[static_cast<size_t>(to.unit)]);
}

float Criticality::update(const std::vector<Point>& points) {
  return graph_.update([&](size_t number, size_t sink) {
    const Net& net = placement_.nets[number];
    return wire_ps(net, net.sinks[sink], points);
  });
}

}  // namespace vta::placer
