// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/placer/criticality.h"

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

TEST(Criticality, GrowsWithTheDistanceOfCells) {
  Placement placement = row_of(4);
  placement.nets = {{0, {{1, 100, false}, {3, 100, true}}}, {1, {{2, 100, true}}}};
  Criticality criticality(placement);
  const float longest = criticality.update(points_of(placement));
  EXPECT_LT(criticality.of(0)[1], 1);

  std::vector<Point> apart = points_of(placement);
  apart[3] = {100, 100};
  EXPECT_GT(criticality.update(apart), longest);
  EXPECT_FLOAT_EQ(criticality.of(0)[1], 1);
  EXPECT_LT(criticality.of(1)[0], 1);
}

TEST(Criticality, CountsWhenADriverStarts) {
  Placement placement = row_of(2);
  placement.nets = {{0, {{1, 100, true}}}};
  Criticality logic(placement);
  const float from_logic = logic.update(points_of(placement));
  placement.cells[0].launch_ps = 2454;
  Criticality memory(placement);
  EXPECT_FLOAT_EQ(memory.update(points_of(placement)), from_logic + 2454);
}

TEST(Criticality, ACarryTakesNoWireFromSliceToSlice) {
  Placement placement = row_of(2);
  placement.nets = {{0, {{1, 114, false}}}};
  for (Cell& cell : placement.cells) cell.is_carry = true;
  Criticality criticality(placement);
  EXPECT_FLOAT_EQ(criticality.update(points_of(placement)), 114);
}

// A LUT, the F7 multiplexer beside it in its slice, and a LUT that this drives: first there, then
// in the next column.
TEST(Criticality, AMultiplexerTakesNoWireFromItsLut) {
  Placement placement = row_of(2);
  placement.cells = {{0, false}, {0, false}, {0, false}};
  placement.cells[0].part = placement.cells[2].part = Part::kLut;
  placement.cells[1].is_multiplexer = true;
  placement.nets = {{0, {{1, 300, true}}}};
  Criticality within(placement);
  EXPECT_FLOAT_EQ(within.update(points_of(placement)), 300);

  placement.nets = {{0, {{1, 300, false}}}, {1, {{2, 100, true}}}};
  placement.cells[2].unit = 1;
  Criticality beyond(placement);
  const float wire_ps = delay_ps({0, 0}, {1, 0});
  EXPECT_FLOAT_EQ(beyond.update(points_of(placement)), 300 + wire_ps + 100);
}

TEST(Criticality, ASharedOutputTakesLonger) {
  Placement placement = row_of(2);
  placement.nets = {{0, {{1, 100, true}}}};
  Criticality own(placement);
  const float from_own = own.update(points_of(placement));
  placement.cells[0].shares_output = true;
  Criticality shared(placement);
  EXPECT_FLOAT_EQ(shared.update(points_of(placement)), from_own + 200);
}

}  // namespace
}  // namespace vta::placer
