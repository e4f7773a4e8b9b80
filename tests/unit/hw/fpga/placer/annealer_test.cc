// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/placer/annealer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace vta::placer {
namespace {

constexpr int kColumns = 12, kRows = 20;

void ignore(const Temperature&) {}

// Hot enough for placements that are random, unlike those of nextpnr.
AnnealingOptions hot() {
  AnnealingOptions options;
  options.first_acceptance = 0.1;
  return options;
}

// Slices in all tiles but those of row 10, which has none, as rows of clock buffers; every third
// column has memory.
Placement chip() {
  Placement placement;
  for (int x = 0; x < kColumns; ++x)
    for (int y = 0; y < kRows; ++y)
      if (y != 10) placement.sites.push_back({{x, y}, 0, x % 3 == 0});
  return placement;
}

int32_t site_at(const Placement& placement, Point tile) {
  const auto at = std::ranges::find(placement.sites, tile, &Site::tile);
  return static_cast<int32_t>(at - placement.sites.begin());
}

int32_t add_slice(Placement& placement, Point tile) {
  const auto unit = static_cast<int32_t>(placement.units.size());
  placement.units.push_back({site_at(placement, tile), tile, false, -1});
  placement.cells.push_back({unit, false});
  return unit;
}

// Slices in random places, with nets between neighbours by number.
Placement scattered(int slices, uint64_t seed) {
  Placement placement = chip();
  Random random(seed);
  std::set<std::pair<int, int>> taken;
  while (static_cast<int>(placement.units.size()) < slices) {
    const Point tile{static_cast<int>(random.between(0, kColumns - 1)),
                     static_cast<int>(random.between(0, kRows - 1))};
    if (tile.y != 10 && taken.emplace(tile.x, tile.y).second) add_slice(placement, tile);
  }
  for (int32_t i = 0; i + 1 < slices; ++i)
    placement.nets.push_back({i, {{i + 1, 150, i % 4 == 3}}});
  return placement;
}

int wire_length(const Placement& placement) {
  int length = 0;
  for (const Net& net : placement.nets) {
    const Point a = placement.units[static_cast<size_t>(net.driver)].tile;
    const Point b = placement.units[static_cast<size_t>(net.sinks[0].cell)].tile;
    length += std::abs(a.x - b.x) + 2 * std::abs(a.y - b.y);
  }
  return length;
}

void expect_legal(const Placement& placement) {
  std::set<int32_t> sites;
  for (const Unit& unit : placement.units) {
    if (unit.site < 0) continue;
    EXPECT_TRUE(sites.insert(unit.site).second) << "two slices in one place";
    const Site& site = placement.sites[static_cast<size_t>(unit.site)];
    EXPECT_EQ(site.tile, unit.tile);
    EXPECT_TRUE(site.has_memory || !unit.needs_memory);
  }
}

TEST(Annealer, ShortensWires) {
  Placement placement = scattered(60, 3);
  const int before = wire_length(placement);
  Annealer(placement, hot()).anneal(ignore);
  expect_legal(placement);
  EXPECT_LT(wire_length(placement), before / 3);
}

TEST(Annealer, GivesTheSameForTheSameSeed) {
  const auto places = [](uint64_t seed) {
    Placement placement = scattered(40, 5);
    AnnealingOptions options = hot();
    options.seed = seed;
    Annealer(placement, options).anneal(ignore);
    std::vector<int32_t> sites;
    for (const Unit& unit : placement.units) sites.push_back(unit.site);
    return sites;
  };
  EXPECT_EQ(places(1), places(1));
  EXPECT_NE(places(1), places(2));
}

TEST(Annealer, KeepsMemoryWhereThereIsMemory) {
  Placement placement = scattered(60, 7);
  int memories = 0;
  for (Unit& unit : placement.units) {
    unit.needs_memory = placement.sites[static_cast<size_t>(unit.site)].has_memory;
    memories += unit.needs_memory ? 1 : 0;
  }
  ASSERT_GT(memories, 5);
  Annealer(placement, hot()).anneal(ignore);
  expect_legal(placement);
}

TEST(Annealer, MovesCarryChainsWhole) {
  Placement placement = scattered(30, 9);
  std::vector<int32_t> chain;
  const auto is_free = [&](int y) {
    return std::ranges::none_of(placement.units,
                                [&](const Unit& unit) { return unit.tile == Point{11, y}; });
  };
  int y = 1;
  while (!(is_free(y) && is_free(y + 1) && is_free(y + 2)) || (y <= 10 && y + 2 >= 10)) ++y;
  for (int link = 2; link >= 0; --link) chain.push_back(add_slice(placement, {11, y + link}));
  for (const int32_t unit : chain) placement.units[static_cast<size_t>(unit)].chain = 0;
  placement.chains = {chain};
  placement.units.push_back({-1, {0, 0}, false, -1});  // a DSP, which the chain is drawn to
  placement.cells.push_back({static_cast<int32_t>(placement.units.size()) - 1, false});
  placement.nets.push_back(
      {static_cast<int32_t>(placement.cells.size()) - 1, {{chain[0], 50, true}}});
  Annealer(placement, hot()).anneal(ignore);
  expect_legal(placement);
  const auto tile = [&](size_t link) {
    return placement.units[static_cast<size_t>(chain[link])].tile;
  };
  EXPECT_LT(tile(0).x, 4);
  for (size_t link = 1; link < chain.size(); ++link)
    EXPECT_EQ(tile(link), (Point{tile(0).x, tile(0).y - static_cast<int>(link)}));
  EXPECT_EQ(placement.units.back().tile, (Point{0, 0}));
}

// A chip with a column of ten block RAMs and two of as many DSPs, which are five rows high.
Placement chip_with_blocks() {
  Placement placement = chip();
  for (int block = 0; block < 10; ++block) {
    placement.sites.push_back({{12, 5 * block + 4}, 0, false, SiteKind::kBlockRam});
    for (int number = 0; number < 2; ++number)
      placement.sites.push_back({{13, 5 * block + 4}, number, false, SiteKind::kDsp});
  }
  return placement;
}

TEST(Annealer, MovesBlocksToTheirSlices) {
  Placement placement = chip_with_blocks();
  const int32_t slice = add_slice(placement, {11, 1});
  std::vector<int32_t> blocks;
  for (size_t site = 0; site < placement.sites.size(); ++site) {
    const Site& at = placement.sites[site];
    if (at.kind == SiteKind::kSlice || at.tile.y < 40) continue;
    blocks.push_back(static_cast<int32_t>(placement.units.size()));
    placement.units.push_back({static_cast<int32_t>(site), at.tile, false, -1});
    placement.cells.push_back({blocks.back(), false});
  }
  ASSERT_EQ(blocks.size(), 6U);
  placement.units.push_back({-1, {11, 0}, false, -1});  // holds the slice
  placement.cells.push_back({blocks.back() + 1, false});
  placement.nets.push_back({blocks.back() + 1, {{slice, 100, true}}});
  for (const int32_t block : blocks) placement.nets.push_back({slice, {{block, 500, true}}});
  Annealer(placement, hot()).anneal(ignore);
  expect_legal(placement);
  for (const int32_t block : blocks) {
    const Unit& unit = placement.units[static_cast<size_t>(block)];
    EXPECT_LT(unit.tile.y, 20);
    EXPECT_EQ(placement.sites[static_cast<size_t>(unit.site)].kind,
              block % 3 == 1 ? SiteKind::kBlockRam : SiteKind::kDsp);
  }
}

TEST(Annealer, DrawsTheSlicesOfALongPathTogether) {
  // A path of ten slices across the chip, held at its ends; many nets pull one of its slices away.
  Placement placement = chip();
  for (int32_t i = 0; i < 10; ++i) add_slice(placement, {i, i % 2 == 0 ? 2 : 17});
  for (int32_t i = 0; i + 1 < 10; ++i) placement.nets.push_back({i, {{i + 1, 150, false}}});
  AnnealingOptions options = hot();
  options.timing_share = 0.9;
  double longest = 0, first = 0;
  Annealer(placement, options).anneal([&](const Temperature& temperature) {
    if (temperature.number == 0) first = temperature.longest_path_ps;
    longest = temperature.longest_path_ps;
  });
  EXPECT_LT(longest, 0.6 * first);
}

double longest_path_ps(const Placement& placement) {
  std::vector<Point> points;
  for (const Unit& unit : placement.units) points.push_back(unit.tile);
  return Criticality(placement).update(points);
}

TEST(Annealer, LeavesTheBestPlacementThatItHasTimed) {
  constexpr double kTenthOfNs = 100;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Placement placement = scattered(60, seed);
    AnnealingOptions options;
    options.seed = seed;
    options.timing_share = 0;  // the wires get shorter, and the longest path sometimes longer
    double best = longest_path_ps(placement);
    Annealer(placement, options).anneal([&](const Temperature& temperature) {
      best = std::min(best, temperature.longest_path_ps);
    });
    expect_legal(placement);
    EXPECT_LE(longest_path_ps(placement), kTenthOfNs * std::ceil(best / kTenthOfNs));
  }
}

}  // namespace
}  // namespace vta::placer
