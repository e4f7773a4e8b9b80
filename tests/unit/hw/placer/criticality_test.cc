// SPDX-License-Identifier: Apache-2.0
#include "hw/placer/criticality.h"

#include <gtest/gtest.h>

namespace vta::placer {
namespace {

// Cells in units of their own, in columns 0, 1, 2...
Placement row_of(int cells) {
  Placement placement;
  for (int32_t i = 0; i < cells; ++i) {
    placement.units.push_back({-1, {i, 0}, false, -1});
    placement.cells.push_back({i, false});
  }
  return placement;
}

std::vector<Point> points_of(const Placement& placement) {
  std::vector<Point> points;
  for (const Unit& unit : placement.units) points.push_back(unit.tile);
  return points;
}

TEST(Criticality, IsThatOfTheLongestPathThroughAConnection) {
  // 0 -> 1 -> 2 | and 0 -> 3 |: the second path has less logic.
  Placement placement = row_of(4);
  placement.nets = {{0, {{1, false}, {3, true}}}, {1, {{2, true}}}};
  Criticality criticality(placement);
  const float longest = criticality.update(points_of(placement));
  EXPECT_FLOAT_EQ(criticality.of(0)[0], 1);
  EXPECT_FLOAT_EQ(criticality.of(1)[0], 1);
  EXPECT_LT(criticality.of(0)[1], 1);
  EXPECT_GT(criticality.of(0)[1], 0.3F);

  std::vector<Point> apart = points_of(placement);
  apart[3] = {100, 100};
  EXPECT_GT(criticality.update(apart), longest);
  EXPECT_FLOAT_EQ(criticality.of(0)[1], 1);
  EXPECT_LT(criticality.of(1)[0], 1);
}

TEST(Criticality, EndsAtRegisters) {
  Placement placement = row_of(3);
  placement.nets = {{0, {{1, true}}}, {1, {{2, true}}}};
  Criticality criticality(placement);
  const float registers = criticality.update(points_of(placement));
  placement.nets[0].sinks[0].ends_paths = false;
  Criticality through(placement);
  EXPECT_GT(through.update(points_of(placement)), registers);
}

TEST(Criticality, CutsALoopSomewhere) {
  Placement placement = row_of(3);
  placement.nets = {{0, {{1, false}}}, {1, {{2, false}}}, {2, {{0, false}}}};
  Criticality criticality(placement);
  EXPECT_GT(criticality.update(points_of(placement)), 0);
  EXPECT_GT(criticality.of(1)[0], 0);
}

TEST(Criticality, ACarryTakesLittleTime) {
  Placement placement = row_of(2);
  placement.nets = {{0, {{1, false}}}};
  Criticality logic(placement);
  const float by_logic = logic.update(points_of(placement));
  for (Cell& cell : placement.cells) cell.is_carry = true;
  Criticality carry(placement);
  EXPECT_LT(carry.update(points_of(placement)), by_logic);
}

}  // namespace
}  // namespace vta::placer
