// SPDX-License-Identifier: Apache-2.0
//
// A placement at the grain of slices: what a slice holds stays together, and so it stays legal
// wherever the slice goes.
#ifndef VTA_HW_PLACER_PLACEMENT_H_
#define VTA_HW_PLACER_PLACEMENT_H_

#include <cstdint>
#include <vector>

#include "hw/router/routing_graph.h"
#include "hw/router/timing_graph.h"

namespace vta::placer {

using router::Point;
using Sink = router::TimedSink;
using Net = router::TimedNet;

// A place for a slice: its tile, and which of the tile's two slices it is. Slices with memory take
// the contents of all slices, others no memory.
struct Site {
  Point tile;
  int slice = 0;
  bool has_memory = false;
};

// The cells of one slice, or one cell of another kind, which does not move (site -1).
struct Unit {
  int32_t site = -1;
  Point tile;
  bool needs_memory = false;
  int32_t chain = -1;  // of Placement::chains, if it is in one
};

// `launch_ps`: from the clock to its outputs; 0 for logic.
struct Cell {
  int32_t unit = 0;
  bool is_carry = false;  // its carry has wires of its own
  float launch_ps = 0;
};

struct Placement {
  std::vector<Site> sites;
  std::vector<Unit> units;
  std::vector<std::vector<int32_t>> chains;  // units of a carry chain, which keep their distances
  std::vector<Cell> cells;
  std::vector<Net> nets;
};

// An estimate of the delay of a connection between two units, in ps.
float delay_ps(Point from, Point to);

}  // namespace vta::placer

#endif  // VTA_HW_PLACER_PLACEMENT_H_
