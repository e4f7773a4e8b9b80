// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/placer/slots.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "hw/fpga/placer/annealer.h"

namespace vta::placer {
namespace {

size_t index(int32_t number) { return static_cast<size_t>(number); }

Cell lut(int32_t unit, int slot) { return {unit, false, 0, Part::kLut, slot}; }

Cell flip_flop(int32_t unit, int slot, int32_t control, Part part = Part::kFlipFlop) {
  return {unit, false, 456, part, slot, control};
}

// Four slices in a row: two of slots, one with a carry, an empty one.
Placement row() {
  Placement placement;
  for (int x = 0; x < 4; ++x) placement.sites.push_back({{x, 7}, x % 2, false});
  for (int32_t unit = 0; unit < 3; ++unit) placement.units.push_back({unit, {unit, 7}});
  placement.cells = {
      lut(0, 1), flip_flop(0, 1, 5), lut(1, 2), flip_flop(1, 2, 6, Part::kSecondFlipFlop), {2}};
  placement.nets = {{0, {{1, 57, true}}}, {1, {{2, 124, false}, {4, 124, true}}}};
  return placement;
}

TEST(Slots, AreSitesOfOpenSlicesAndEmptyOnes) {
  const Placement slots = split_into_slots(row());
  ASSERT_EQ(slots.sites.size(), 3U * 2 * kSlots + 1);
  for (size_t site = 0; site < 3U * 2 * kSlots; ++site) {
    const size_t in_slice = site % (2 * kSlots);
    EXPECT_EQ(slots.sites[site].kind, in_slice < kSlots ? SiteKind::kLuts : SiteKind::kFlipFlops);
    const int slice = slots.sites[site].tile.x % 2;
    EXPECT_EQ(slots.sites[site].number, kSlots * slice + static_cast<int>(in_slice % kSlots));
  }
  EXPECT_EQ(slots.sites.back().kind, SiteKind::kSlice);
  EXPECT_EQ(slots.sites.back().tile, (Point{2, 7}));
}

TEST(Slots, HaveTheLutsAndTheFlipFlopsAsUnits) {
  const Placement slots = split_into_slots(row());
  ASSERT_EQ(slots.units.size(), 5U);
  const auto unit_of = [&](size_t cell) { return slots.units[index(slots.cells[cell].unit)]; };
  EXPECT_EQ(unit_of(0).site, 1);
  EXPECT_EQ(unit_of(1).site, 1 + kSlots);
  EXPECT_EQ(unit_of(0).partner, slots.cells[1].unit) << "drives it";
  EXPECT_EQ(unit_of(1).partner, slots.cells[0].unit);
  EXPECT_EQ(unit_of(1).control, 5);
  EXPECT_FALSE(unit_of(1).needs_slot);
  EXPECT_EQ(unit_of(2).partner, slots.cells[3].unit) << "the second flip-flop needs the slot";
  EXPECT_TRUE(unit_of(3).needs_slot);
  EXPECT_EQ(slots.sites[index(unit_of(4).site)].kind, SiteKind::kSlice);
}

// Slices of a chip with random LUTs and flip-flops, and nets between random cells.
Placement crowded(uint64_t seed) {
  constexpr int kColumns = 6, kRows = 8, kControls = 3;
  Placement placement;
  Random random(seed);
  for (int x = 0; x < kColumns; ++x) {
    for (int y = 0; y < kRows; ++y) {
      const auto unit = static_cast<int32_t>(placement.units.size());
      placement.sites.push_back({{x, y}, 0, false});
      placement.units.push_back({unit, {x, y}});
      const auto control = static_cast<int32_t>(random.between(0, kControls - 1));
      for (int slot = 0; slot < kSlots; ++slot) {
        if (random.between(0, 2) > 0) placement.cells.push_back(lut(unit, slot));
        if (random.between(0, 2) == 0) placement.cells.push_back(flip_flop(unit, slot, control));
        if (random.between(0, 5) == 0)
          placement.cells.push_back(flip_flop(unit, slot, control, Part::kSecondFlipFlop));
      }
    }
  }
  const auto last = static_cast<int64_t>(placement.cells.size()) - 1;
  for (int32_t driver = 0; driver <= last; ++driver) {
    const auto sink = static_cast<int32_t>(random.between(0, last));
    placement.nets.push_back({driver, {{sink, 124, placement.cells[index(sink)].launch_ps > 0}}});
  }
  return placement;
}

void expect_legal(const Placement& slots) {
  std::map<int32_t, int32_t> unit_at;
  std::map<int32_t, std::set<int32_t>> controls;  // by slice
  for (size_t unit = 0; unit < slots.units.size(); ++unit) {
    const Unit& here = slots.units[unit];
    EXPECT_TRUE(unit_at.emplace(here.site, static_cast<int32_t>(unit)).second);
    EXPECT_EQ(slots.sites[index(here.site)].tile, here.tile);
    if (here.control >= 0) controls[here.site / (2 * kSlots)].insert(here.control);
  }
  for (const auto& [slice, kinds] : controls) EXPECT_EQ(kinds.size(), 1U);
  for (const Cell& cell : slots.cells) {
    const Unit& unit = slots.units[index(cell.unit)];
    EXPECT_EQ(slots.sites[index(unit.site)].kind,
              cell.part == Part::kLut ? SiteKind::kLuts : SiteKind::kFlipFlops);
    const int32_t to_twin = cell.part == Part::kLut ? kSlots : -kSlots;
    const auto twin = unit_at.find(unit.site + to_twin);
    const int32_t beside = twin == unit_at.end() ? -1 : twin->second;
    if (unit.partner >= 0 || unit.needs_slot) EXPECT_EQ(beside, unit.partner);
  }
}

TEST(Slots, StayLegalWhenTheyMove) {
  double all_before = 0, all_after = 0;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    Placement slots = split_into_slots(crowded(seed));
    expect_legal(slots);
    double before = 0, after = 0;
    Annealer(slots, {}).anneal([&](const Temperature& temperature) {
      if (temperature.number == 0) before = temperature.wire_length;
      after = temperature.wire_length;
    });
    expect_legal(slots);
    EXPECT_LT(after, 0.95 * before);  // 0.81 to 0.91, since delays count too
    all_before += before;
    all_after += after;
  }
  EXPECT_LT(all_after, 0.9 * all_before);
}

}  // namespace
}  // namespace vta::placer
