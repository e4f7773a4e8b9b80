// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/placer/slots.h"

#include <map>
#include <tuple>

namespace vta::placer {
namespace {

size_t index(int32_t number) { return static_cast<size_t>(number); }

class Splitter {
 public:
  explicit Splitter(const Placement& slices) : slices_(slices) {
    find_open_units();
    split_sites();
    for (const Cell& cell : slices_.cells) add_cell(cell);
    result_.nets = slices_.nets;
    add_chains();
    find_partners();
  }

  Placement take() { return std::move(result_); }

 private:
  bool is_slice(const Unit& unit) const {
    return unit.site >= 0 && slices_.sites[index(unit.site)].kind == SiteKind::kSlice;
  }

  void find_open_units() {
    for (const Unit& unit : slices_.units)
      is_open_.push_back(is_slice(unit) && unit.chain < 0 && !unit.needs_memory);
    for (const Cell& cell : slices_.cells)
      if (cell.part == Part::kOther) is_open_[index(cell.unit)] = false;
  }

  void split_sites() {
    std::vector<bool> is_closed(slices_.sites.size());  // or no slice
    for (size_t site = 0; site < slices_.sites.size(); ++site)
      is_closed[site] = slices_.sites[site].kind != SiteKind::kSlice;
    for (size_t unit = 0; unit < slices_.units.size(); ++unit)
      if (slices_.units[unit].site >= 0 && !is_open_[unit])
        is_closed[index(slices_.units[unit].site)] = true;
    new_site_.resize(slices_.sites.size());
    for (size_t site = 0; site < slices_.sites.size(); ++site)
      if (!is_closed[site]) add_slots(site);
    for (size_t site = 0; site < slices_.sites.size(); ++site) {
      if (!is_closed[site]) continue;
      new_site_[site] = static_cast<int32_t>(result_.sites.size());
      result_.sites.push_back(slices_.sites[site]);
    }
  }

  void add_slots(size_t site) {
    const Site& slice = slices_.sites[site];
    new_site_[site] = static_cast<int32_t>(result_.sites.size());
    for (const SiteKind kind : {SiteKind::kLuts, SiteKind::kFlipFlops})
      for (int slot = 0; slot < kSlots; ++slot)
        result_.sites.push_back({slice.tile, kSlots * slice.number + slot, false, kind});
  }

  void add_cell(const Cell& cell) {
    const Unit& before = slices_.units[index(cell.unit)];
    const bool is_open = is_open_[index(cell.unit)];
    const int part = is_open ? kSlots * (cell.part == Part::kLut ? 0 : 1) + cell.slot : 0;
    const auto next = static_cast<int32_t>(result_.units.size());
    const int32_t unit = new_unit_.try_emplace({cell.unit, part}, next).first->second;
    if (unit == next) {
      result_.units.push_back(before);
      if (before.site >= 0) result_.units.back().site = new_site_[index(before.site)] + part;
    }
    if (is_open) add_to_slot(cell, result_.units[index(unit)]);
    result_.cells.push_back(cell);
    result_.cells.back().unit = unit;
  }

  static void add_to_slot(const Cell& cell, Unit& unit) {
    unit.control = cell.control;
    unit.needs_slot = unit.needs_slot || cell.part == Part::kSecondFlipFlop;
  }

  void add_chains() {
    for (const auto& chain : slices_.chains) {
      auto& units = result_.chains.emplace_back();
      for (const int32_t unit : chain) units.push_back(new_unit_.at({unit, 0}));
    }
  }

  // LUTs and the flip-flops of their slot, where the ones drive the others or nothing else may
  // be beside these.
  void find_partners() {
    for (const Net& net : result_.nets) {
      const Cell& from = result_.cells[index(net.driver)];
      for (const Sink& sink : net.sinks)
        if (from.part == Part::kLut) join_in_slot(from.unit, result_.cells[index(sink.cell)].unit);
    }
    std::map<int32_t, int32_t> unit_at;  // by site
    for (size_t unit = 0; unit < result_.units.size(); ++unit)
      unit_at[result_.units[unit].site] = static_cast<int32_t>(unit);
    for (size_t unit = 0; unit < result_.units.size(); ++unit) {
      if (!result_.units[unit].needs_slot) continue;
      const auto luts = unit_at.find(result_.units[unit].site - kSlots);
      if (luts != unit_at.end()) join_in_slot(luts->second, static_cast<int32_t>(unit));
    }
  }

  // If the one is the LUTs and the other the flip-flops of one slot.
  void join_in_slot(int32_t luts, int32_t flip_flops) {
    const int32_t site = result_.units[index(luts)].site;
    if (site < 0 || result_.units[index(flip_flops)].site != site + kSlots) return;
    if (result_.sites[index(site)].kind != SiteKind::kLuts) return;
    result_.units[index(luts)].partner = flip_flops;
    result_.units[index(flip_flops)].partner = luts;
  }

  const Placement& slices_;
  Placement result_;
  std::vector<bool> is_open_;      // by unit of slices_
  std::vector<int32_t> new_site_;  // by site of slices_; the first of eight for slots
  std::map<std::tuple<int32_t, int>, int32_t> new_unit_;  // by unit of slices_ and part
};

}  // namespace

Placement split_into_slots(const Placement& slices) { return Splitter(slices).take(); }

}  // namespace vta::placer
